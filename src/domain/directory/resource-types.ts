import { type Attribute, type Schema, attribute, complex, reference } from "./attribute.ts";
import { AGENT_SCHEMA } from "./agent-schema.ts";
import { GROUP_SCHEMA } from "./group-schema.ts";
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from "./user-schema.ts";

export type ResourceTypeName = "User" | "Group" | "Agent";

/** A resource type with its schemas. @see RFC 7643, 6. */
export type ResourceType = {
  readonly name: ResourceTypeName;
  readonly description: string;
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
};

/** All resource types. */
export const RESOURCE_TYPE_NAMES: readonly ResourceTypeName[] = ["User", "Group", "Agent"];

export const RESOURCE_TYPES: Readonly<Record<ResourceTypeName, ResourceType>> = {
  User: {
    name: "User",
    description: "The members of the workspace",
    schema: USER_SCHEMA,
    extensions: [ENTERPRISE_SCHEMA],
  },
  Group: {
    name: "Group",
    description: "Groups of members",
    schema: GROUP_SCHEMA,
    extensions: [],
  },
  Agent: {
    name: "Agent",
    description: "Agents: software and robots",
    schema: AGENT_SCHEMA,
    extensions: [],
  },
};

/** The common attributes of all resources. @see RFC 7643, 3 and 3.1. */
const COMMON: readonly Attribute[] = [
  attribute("schemas", "The schemas that the resource uses.", {
    multiValued: true,
    caseExact: true,
    mutability: "readOnly",
    returned: "always",
  }),
  attribute("id", "The resource's id.", {
    caseExact: true,
    mutability: "readOnly",
    returned: "always",
    uniqueness: "server",
  }),
  attribute("externalId", "The identity provider's own id.", { caseExact: true }),
  {
    ...complex("meta", "About the resource itself.", [
      attribute("resourceType", "The resource's type.", { caseExact: true, mutability: "readOnly" }),
      attribute("created", "When it was created.", { type: "dateTime", mutability: "readOnly" }),
      attribute("lastModified", "When it last changed.", { type: "dateTime", mutability: "readOnly" }),
      reference("location", "The resource's URL.", {
        mutability: "readOnly",
        referenceTypes: ["User", "Group", "Agent"],
      }),
      attribute("version", "Its ETag.", { caseExact: true, mutability: "readOnly" }),
    ]),
    mutability: "readOnly",
  },
];

const ATTRIBUTES: Readonly<Record<ResourceTypeName, readonly Attribute[]>> = {
  User: listAttributes(RESOURCE_TYPES.User),
  Group: listAttributes(RESOURCE_TYPES.Group),
  Agent: listAttributes(RESOURCE_TYPES.Agent),
};

/** A resource's attributes in display order. An extension is one attribute, named by its URN. */
export function rootAttributes(type: ResourceTypeName): readonly Attribute[] {
  return ATTRIBUTES[type];
}

function listAttributes({ schema, extensions }: ResourceType): readonly Attribute[] {
  const added = extensions.map(({ id, description, attributes }) => complex(id, description, attributes));
  return [...COMMON, ...schema.attributes, ...added];
}

/** Finds an attribute by name, not case-sensitively. @see RFC 7643, 2.1. */
export function findAttributeByName(among: readonly Attribute[], name: string): Attribute | undefined {
  const known = BY_NAME.get(among) ?? indexByName(among);
  return known.get(name.toLowerCase());
}

/** Attributes by their names in lower case: a resource may have a hundred thousand unknown names. */
const BY_NAME = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

function indexByName(among: readonly Attribute[]): ReadonlyMap<string, Attribute> {
  const known = new Map(among.map((attribute) => [attribute.name.toLowerCase(), attribute]));
  BY_NAME.set(among, known);
  return known;
}

/** Returns the attributes along a path, or null if a name is unknown. */
export function attributesOnPath(type: ResourceTypeName, path: readonly string[]): Attribute[] | null {
  const found: Attribute[] = [];
  let among = rootAttributes(type);
  for (const name of path) {
    const attribute = findAttributeByName(among, name);
    if (attribute === undefined) return null;
    found.push(attribute);
    among = attribute.subAttributes ?? [];
  }
  return found.length === 0 ? null : found;
}

/**
 * Resolves an attribute's name as clients write it (`name.familyName`, possibly after its schema's URN) to
 * a path of names; null if there is no such attribute.
 *
 * @see RFC 7644, 3.10.
 */
export function resolveAttribute(type: ResourceTypeName, text: string): string[] | null {
  const [prefix, rest] = splitUrn(type, text);
  const names = [...prefix, ...(rest === "" ? [] : rest.split("."))];
  return attributesOnPath(type, names)?.map(({ name }) => name) ?? null;
}

/**
 * Splits off a URN: the core schema's gives an empty path, an extension's the attribute that contains the
 * extension.
 */
function splitUrn(type: ResourceTypeName, text: string): [string[], string] {
  const { schema, extensions } = RESOURCE_TYPES[type];
  const core = stripUrn(text, schema.id);
  if (core !== null) return [[], core];
  for (const { id } of extensions) {
    const rest = stripUrn(text, id);
    if (rest !== null) return [[id], rest];
  }
  return [[], text];
}

/** Returns the text after a URN and its colon: "" for the URN alone, null for another URN. */
function stripUrn(text: string, urn: string): string | null {
  if (text.slice(0, urn.length).toLowerCase() !== urn.toLowerCase()) return null;
  const rest = text.slice(urn.length);
  if (rest === "") return "";
  return rest.startsWith(":") ? rest.slice(1) : null;
}
