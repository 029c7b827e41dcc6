import { type Attribute, type AttributeType, attribute } from "../../src/domain/directory/attribute.ts";
import { URNS } from "./urns.ts";

/** An attribute of what describes the service: it may also be a number. */
export type ServiceAttribute = Omit<Attribute, "type" | "subAttributes"> & {
  readonly type: AttributeType | "integer";
  readonly subAttributes?: readonly ServiceAttribute[];
};

/** A schema as /Schemas shows it, of a resource or of what describes the service. */
export type ServiceSchema = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly ServiceAttribute[];
};

type Characteristics = Partial<ServiceAttribute>;

const REQUIRED: Characteristics = { required: true };
const SEVERAL: Characteristics = { multiValued: true };
const BOOLEAN: Characteristics = { ...REQUIRED, type: "boolean" };
const NUMBER: Characteristics = { ...REQUIRED, type: "integer" };
const URI: Characteristics = { type: "reference", caseExact: true, referenceTypes: ["uri"] };
const PAGE_URI: Characteristics = { ...URI, referenceTypes: ["external"] };

/** Nobody changes what the service says of itself. */
function readOnlyAttribute(
  name: string,
  description: string,
  characteristics: Characteristics = {},
): ServiceAttribute {
  return { ...attribute(name, description, { mutability: "readOnly" }), ...characteristics };
}

function complexAttribute(
  name: string,
  description: string,
  subAttributes: readonly ServiceAttribute[],
): ServiceAttribute {
  return readOnlyAttribute(name, description, { ...REQUIRED, type: "complex", subAttributes });
}

const supported = readOnlyAttribute("supported", "Whether the service does it.", BOOLEAN);

/** @see RFC 7643, 5 and 8.7.2; RFC 9865, 4. */
const SERVICE_PROVIDER_CONFIG: ServiceSchema = {
  id: URNS.serviceProviderConfig,
  name: "ServiceProviderConfig",
  description: "What the service can do",
  attributes: [
    complexAttribute("patch", "Changes of single attributes.", [supported]),
    complexAttribute("bulk", "Many operations in one request.", [
      supported,
      readOnlyAttribute("maxOperations", "How many operations at most.", NUMBER),
      readOnlyAttribute("maxPayloadSize", "How many bytes at most.", NUMBER),
    ]),
    complexAttribute("filter", "Lists of what fits a condition.", [
      supported,
      readOnlyAttribute("maxResults", "How many resources an answer has at most.", NUMBER),
    ]),
    complexAttribute("changePassword", "Passwords set by a client.", [supported]),
    complexAttribute("sort", "Lists in an order.", [supported]),
    complexAttribute("etag", "Versions of resources.", [supported]),
    {
      ...complexAttribute("pagination", "How lists are divided.", [
        readOnlyAttribute("cursor", "Whether by cursors.", BOOLEAN),
        readOnlyAttribute("index", "Whether by numbers.", BOOLEAN),
        readOnlyAttribute("defaultPaginationMethod", "How, where nothing is asked.", {
          canonicalValues: ["cursor", "index"],
        }),
        readOnlyAttribute("defaultPageSize", "How many resources, where nothing is asked.", {
          type: "integer",
        }),
        readOnlyAttribute("maxPageSize", "How many resources at most.", { type: "integer" }),
      ]),
      required: false,
    },
    {
      ...complexAttribute("authenticationSchemes", "How clients show who they are.", [
        readOnlyAttribute("type", "The kind of scheme.", {
          ...REQUIRED,
          canonicalValues: ["oauth", "oauth2", "oauthbearertoken", "httpbasic", "httpdigest"],
        }),
        readOnlyAttribute("name", "What the scheme is called.", REQUIRED),
        readOnlyAttribute("description", "What the scheme is.", REQUIRED),
        readOnlyAttribute("specUri", "Where the scheme is specified.", PAGE_URI),
        readOnlyAttribute("primary", "Whether this is the preferred scheme.", { type: "boolean" }),
      ]),
      ...SEVERAL,
    },
  ],
};

/** @see RFC 7643, 6 and 8.7.2. */
const RESOURCE_TYPE: ServiceSchema = {
  id: URNS.resourceType,
  name: "ResourceType",
  description: "A kind of resource",
  attributes: [
    readOnlyAttribute("id", "The same as the name."),
    readOnlyAttribute("name", "What the kind is called.", REQUIRED),
    readOnlyAttribute("description", "What the resources are."),
    readOnlyAttribute("endpoint", "Where they stand.", { ...REQUIRED, ...URI }),
    readOnlyAttribute("schema", "The schema that they follow.", { ...REQUIRED, ...URI }),
    {
      ...complexAttribute("schemaExtensions", "The schemas that add to it.", [
        readOnlyAttribute("schema", "The schema.", { ...REQUIRED, ...URI }),
        readOnlyAttribute("required", "Whether each resource has it.", BOOLEAN),
      ]),
      ...SEVERAL,
      required: false,
    },
  ],
};

const CHARACTERISTICS: readonly ServiceAttribute[] = [
  readOnlyAttribute("name", "What the attribute is called.", { ...REQUIRED, caseExact: true }),
  readOnlyAttribute("type", "What its values are.", {
    ...REQUIRED,
    canonicalValues: [
      "string",
      "complex",
      "boolean",
      "decimal",
      "integer",
      "dateTime",
      "reference",
      "binary",
    ],
  }),
  readOnlyAttribute("multiValued", "Whether it has several values.", BOOLEAN),
  readOnlyAttribute("description", "What it is."),
  readOnlyAttribute("required", "Whether a resource must have it.", { type: "boolean" }),
  readOnlyAttribute("canonicalValues", "Values that are usual.", { ...SEVERAL, caseExact: true }),
  readOnlyAttribute("caseExact", "Whether values are told apart by case.", { type: "boolean" }),
  readOnlyAttribute("mutability", "Who may change it, and when.", {
    ...REQUIRED,
    caseExact: true,
    canonicalValues: ["readOnly", "readWrite", "immutable", "writeOnly"],
  }),
  readOnlyAttribute("returned", "When an answer shows it.", {
    ...REQUIRED,
    caseExact: true,
    canonicalValues: ["always", "never", "default", "request"],
  }),
  readOnlyAttribute("uniqueness", "Among what a value is unique.", {
    caseExact: true,
    canonicalValues: ["none", "server", "global"],
  }),
  readOnlyAttribute("referenceTypes", "What a reference may point to.", { ...SEVERAL, caseExact: true }),
];

/** @see RFC 7643, 7 and 8.7.2. */
const SCHEMA: ServiceSchema = {
  id: URNS.schema,
  name: "Schema",
  description: "The attributes of a kind of resource",
  attributes: [
    readOnlyAttribute("id", "The schema's URN.", { ...REQUIRED, caseExact: true }),
    readOnlyAttribute("name", "What the schema is called.", REQUIRED),
    readOnlyAttribute("description", "What the schema is of."),
    {
      ...complexAttribute("attributes", "The attributes.", [
        ...CHARACTERISTICS,
        {
          ...complexAttribute("subAttributes", "The parts of a complex one.", CHARACTERISTICS),
          ...SEVERAL,
          required: false,
        },
      ]),
      ...SEVERAL,
    },
  ],
};

/** The schemas of what describes the service. */
export const SERVICE_SCHEMAS: readonly ServiceSchema[] = [SERVICE_PROVIDER_CONFIG, RESOURCE_TYPE, SCHEMA];
