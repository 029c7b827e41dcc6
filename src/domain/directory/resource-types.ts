import { type Attribute, type Schema, attribute, complex, reference } from "./attribute.ts";
import { GROUP_SCHEMA } from "./group-schema.ts";
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from "./user-schema.ts";

/** A kind of resource that an identity provider keeps here. */
export type ResourceTypeName = "User" | "Group";

/** A kind of resource with its schemas. @see RFC 7643, 6. */
export type ResourceType = {
  readonly name: ResourceTypeName;
  readonly description: string;
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
};

/** Every kind of resource. */
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
};

/** What every resource has beside its schema's attributes. @see RFC 7643, 3 and 3.1. */
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
      attribute("resourceType", "What it is.", { caseExact: true, mutability: "readOnly" }),
      attribute("created", "When it was made.", { type: "dateTime", mutability: "readOnly" }),
      attribute("lastModified", "When it last changed.", { type: "dateTime", mutability: "readOnly" }),
      reference("location", "Its address.", { mutability: "readOnly", referenceTypes: ["User", "Group"] }),
      attribute("version", "Its ETag.", { caseExact: true, mutability: "readOnly" }),
    ]),
    mutability: "readOnly",
  },
];

const ATTRIBUTES: Readonly<Record<ResourceTypeName, readonly Attribute[]>> = {
  User: listAttributes(RESOURCE_TYPES.User),
  Group: listAttributes(RESOURCE_TYPES.Group),
};

/** A resource's attributes, in the order in which they are shown; an extension is one, named by its URN. */
export function rootAttributes(type: ResourceTypeName): readonly Attribute[] {
  return ATTRIBUTES[type];
}

function listAttributes({ schema, extensions }: ResourceType): readonly Attribute[] {
  const added = extensions.map(({ id, description, attributes }) => complex(id, description, attributes));
  return [...COMMON, ...schema.attributes, ...added];
}

/** An attribute among others by its name, whatever its case. @see RFC 7643, 2.1. */
export function findAttributeByName(among: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return among.find((attribute) => attribute.name.toLowerCase() === wanted);
}

/** The attributes on the way to the one that the path names, itself last; null where a name is unknown. */
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
 * Reads an attribute's name as clients write it (`name.familyName`, or behind its schema's URN) as the
 * path of names that it stands for; null where there is no such attribute.
 *
 * @see RFC 7644, 3.10.
 */
export function resolveAttribute(type: ResourceTypeName, text: string): string[] | null {
  const [prefix, rest] = splitUrn(type, text);
  const names = [...prefix, ...(rest === "" ? [] : rest.split("."))];
  return attributesOnPath(type, names)?.map(({ name }) => name) ?? null;
}

/** The core schema's URN stands for nothing, an extension's for the attribute that holds the extension. */
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

/** What stands behind a URN and its colon; the whole of nothing for the URN alone, null behind another. */
function stripUrn(text: string, urn: string): string | null {
  if (text.slice(0, urn.length).toLowerCase() !== urn.toLowerCase()) return null;
  const rest = text.slice(urn.length);
  if (rest === "") return "";
  return rest.startsWith(":") ? rest.slice(1) : null;
}
