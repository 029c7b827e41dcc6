import { type Attribute, type AttributeType, attribute } from "../../src/domain/directory/attribute.ts";
import { URNS } from "./urns.ts";

/** An attribute of a discovery resource, which may also be a number. */
export type ServiceAttribute = Omit<Attribute, "type" | "subAttributes"> & {
  readonly type: AttributeType | "integer";
  readonly subAttributes?: readonly ServiceAttribute[];
};

/** A schema as /Schemas shows it, of a resource or a discovery resource. */
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

/** All attributes of discovery resources are read-only. */
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

const supported = readOnlyAttribute("supported", "Whether the service supports it.", BOOLEAN);

/** @see RFC 7643, 5 and 8.7.2; RFC 9865, 4. */
const SERVICE_PROVIDER_CONFIG: ServiceSchema = {
  id: URNS.serviceProviderConfig,
  name: "ServiceProviderConfig",
  description: "The service's capabilities",
  attributes: [
    complexAttribute("patch", "Partial updates with PATCH.", [supported]),
    complexAttribute("bulk", "Many operations in one request.", [
      supported,
      readOnlyAttribute("maxOperations", "Maximum number of operations.", NUMBER),
      readOnlyAttribute("maxPayloadSize", "Maximum size in bytes.", NUMBER),
    ]),
    complexAttribute("filter", "Lists filtered by a condition.", [
      supported,
      readOnlyAttribute("maxResults", "Maximum number of resources in a response.", NUMBER),
    ]),
    complexAttribute("changePassword", "Setting passwords.", [supported]),
    complexAttribute("sort", "Sorting of lists.", [supported]),
    complexAttribute("etag", "Versions of resources.", [supported]),
    {
      ...complexAttribute("pagination", "Paging of lists.", [
        readOnlyAttribute("cursor", "Whether cursors are supported.", BOOLEAN),
        readOnlyAttribute("index", "Whether indexes are supported.", BOOLEAN),
        readOnlyAttribute("defaultPaginationMethod", "The default method.", {
          canonicalValues: ["cursor", "index"],
        }),
        readOnlyAttribute("defaultPageSize", "Default number of resources per page.", {
          type: "integer",
        }),
        readOnlyAttribute("maxPageSize", "Maximum number of resources per page.", { type: "integer" }),
      ]),
      required: false,
    },
    {
      ...complexAttribute("authenticationSchemes", "How clients authenticate.", [
        readOnlyAttribute("type", "Type of the scheme.", {
          ...REQUIRED,
          canonicalValues: ["oauth", "oauth2", "oauthbearertoken", "httpbasic", "httpdigest"],
        }),
        readOnlyAttribute("name", "Name of the scheme.", REQUIRED),
        readOnlyAttribute("description", "Description of the scheme.", REQUIRED),
        readOnlyAttribute("specUri", "URL of the scheme's specification.", PAGE_URI),
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
  description: "A resource type",
  attributes: [
    readOnlyAttribute("id", "Same as the name."),
    readOnlyAttribute("name", "Name of the resource type.", REQUIRED),
    readOnlyAttribute("description", "Description of the resource type."),
    readOnlyAttribute("endpoint", "Path of the resources.", { ...REQUIRED, ...URI }),
    readOnlyAttribute("schema", "The resource type's main schema.", { ...REQUIRED, ...URI }),
    {
      ...complexAttribute("schemaExtensions", "Schemas that extend it.", [
        readOnlyAttribute("schema", "The extending schema.", { ...REQUIRED, ...URI }),
        readOnlyAttribute("required", "Whether every resource has the extension.", BOOLEAN),
      ]),
      ...SEVERAL,
      required: false,
    },
  ],
};

const CHARACTERISTICS: readonly ServiceAttribute[] = [
  readOnlyAttribute("name", "Name of the attribute.", { ...REQUIRED, caseExact: true }),
  readOnlyAttribute("type", "Type of its values.", {
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
  readOnlyAttribute("multiValued", "Whether it can have several values.", BOOLEAN),
  readOnlyAttribute("description", "Description of the attribute."),
  readOnlyAttribute("required", "Whether a resource must have it.", { type: "boolean" }),
  readOnlyAttribute("canonicalValues", "Suggested values.", { ...SEVERAL, caseExact: true }),
  readOnlyAttribute("caseExact", "Whether values are case-sensitive.", { type: "boolean" }),
  readOnlyAttribute("mutability", "Whether and when it can be changed.", {
    ...REQUIRED,
    caseExact: true,
    canonicalValues: ["readOnly", "readWrite", "immutable", "writeOnly"],
  }),
  readOnlyAttribute("returned", "When a response includes it.", {
    ...REQUIRED,
    caseExact: true,
    canonicalValues: ["always", "never", "default", "request"],
  }),
  readOnlyAttribute("uniqueness", "The scope in which a value is unique.", {
    caseExact: true,
    canonicalValues: ["none", "server", "global"],
  }),
  readOnlyAttribute("referenceTypes", "Resource types a reference can point to.", {
    ...SEVERAL,
    caseExact: true,
  }),
];

/** @see RFC 7643, 7 and 8.7.2. */
const SCHEMA: ServiceSchema = {
  id: URNS.schema,
  name: "Schema",
  description: "The attributes of a resource",
  attributes: [
    readOnlyAttribute("id", "The schema's URN.", { ...REQUIRED, caseExact: true }),
    readOnlyAttribute("name", "Name of the schema.", REQUIRED),
    readOnlyAttribute("description", "Description of the schema."),
    {
      ...complexAttribute("attributes", "Attributes of the resource.", [
        ...CHARACTERISTICS,
        {
          ...complexAttribute("subAttributes", "Attributes of a complex attribute.", CHARACTERISTICS),
          ...SEVERAL,
          required: false,
        },
      ]),
      ...SEVERAL,
    },
  ],
};

/** The schemas of discovery resources. */
export const SERVICE_SCHEMAS: readonly ServiceSchema[] = [SERVICE_PROVIDER_CONFIG, RESOURCE_TYPE, SCHEMA];
