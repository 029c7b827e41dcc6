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
function told(name: string, description: string, characteristics: Characteristics = {}): ServiceAttribute {
  return { ...attribute(name, description, { mutability: "readOnly" }), ...characteristics };
}

function holding(
  name: string,
  description: string,
  subAttributes: readonly ServiceAttribute[],
): ServiceAttribute {
  return told(name, description, { ...REQUIRED, type: "complex", subAttributes });
}

const supported = told("supported", "Whether the service does it.", BOOLEAN);

/** @see RFC 7643, 5 and 8.7.2; RFC 9865, 4. */
const SERVICE_PROVIDER_CONFIG: ServiceSchema = {
  id: URNS.serviceProviderConfig,
  name: "ServiceProviderConfig",
  description: "What the service can do",
  attributes: [
    holding("patch", "Changes of single attributes.", [supported]),
    holding("bulk", "Many operations in one request.", [
      supported,
      told("maxOperations", "How many operations at most.", NUMBER),
      told("maxPayloadSize", "How many bytes at most.", NUMBER),
    ]),
    holding("filter", "Lists of what fits a condition.", [
      supported,
      told("maxResults", "How many resources an answer has at most.", NUMBER),
    ]),
    holding("changePassword", "Passwords set by a client.", [supported]),
    holding("sort", "Lists in an order.", [supported]),
    holding("etag", "Versions of resources.", [supported]),
    {
      ...holding("pagination", "How lists are divided.", [
        told("cursor", "Whether by cursors.", BOOLEAN),
        told("index", "Whether by numbers.", BOOLEAN),
        told("defaultPaginationMethod", "How, where nothing is asked.", {
          canonicalValues: ["cursor", "index"],
        }),
        told("defaultPageSize", "How many resources, where nothing is asked.", { type: "integer" }),
        told("maxPageSize", "How many resources at most.", { type: "integer" }),
      ]),
      required: false,
    },
    {
      ...holding("authenticationSchemes", "How clients show who they are.", [
        told("type", "The kind of scheme.", {
          ...REQUIRED,
          canonicalValues: ["oauth", "oauth2", "oauthbearertoken", "httpbasic", "httpdigest"],
        }),
        told("name", "What the scheme is called.", REQUIRED),
        told("description", "What the scheme is.", REQUIRED),
        told("specUri", "Where the scheme is specified.", PAGE_URI),
        told("primary", "Whether this is the preferred scheme.", { type: "boolean" }),
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
    told("id", "The same as the name."),
    told("name", "What the kind is called.", REQUIRED),
    told("description", "What the resources are."),
    told("endpoint", "Where they stand.", { ...REQUIRED, ...URI }),
    told("schema", "The schema that they follow.", { ...REQUIRED, ...URI }),
    {
      ...holding("schemaExtensions", "The schemas that add to it.", [
        told("schema", "The schema.", { ...REQUIRED, ...URI }),
        told("required", "Whether each resource has it.", BOOLEAN),
      ]),
      ...SEVERAL,
      required: false,
    },
  ],
};

const CHARACTERISTICS: readonly ServiceAttribute[] = [
  told("name", "What the attribute is called.", { ...REQUIRED, caseExact: true }),
  told("type", "What its values are.", {
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
  told("multiValued", "Whether it has several values.", BOOLEAN),
  told("description", "What it is."),
  told("required", "Whether a resource must have it.", { type: "boolean" }),
  told("canonicalValues", "Values that are usual.", { ...SEVERAL, caseExact: true }),
  told("caseExact", "Whether values are told apart by case.", { type: "boolean" }),
  told("mutability", "Who may change it, and when.", {
    ...REQUIRED,
    caseExact: true,
    canonicalValues: ["readOnly", "readWrite", "immutable", "writeOnly"],
  }),
  told("returned", "When an answer shows it.", {
    ...REQUIRED,
    caseExact: true,
    canonicalValues: ["always", "never", "default", "request"],
  }),
  told("uniqueness", "Among what a value is unique.", {
    caseExact: true,
    canonicalValues: ["none", "server", "global"],
  }),
  told("referenceTypes", "What a reference may point to.", { ...SEVERAL, caseExact: true }),
];

/** @see RFC 7643, 7 and 8.7.2. */
const SCHEMA: ServiceSchema = {
  id: URNS.schema,
  name: "Schema",
  description: "The attributes of a kind of resource",
  attributes: [
    told("id", "The schema's URN.", { ...REQUIRED, caseExact: true }),
    told("name", "What the schema is called.", REQUIRED),
    told("description", "What the schema is of."),
    {
      ...holding("attributes", "The attributes.", [
        ...CHARACTERISTICS,
        {
          ...holding("subAttributes", "The parts of a complex one.", CHARACTERISTICS),
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
