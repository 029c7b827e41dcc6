import { isObject } from "../../src/domain/kernel/is-object.ts";
import { RESOURCE_TYPES, type ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
import { type Projection, project } from "./projection.ts";

/** A resource from GraphQL. */
export type ResourceNode = {
  uuid: string;
  version: string;
  attributes: unknown;
  createdAt: string;
  updatedAt: string;
};

/** A resource in SCIM's JSON, with its members in the schema's order. */
export type ResourceJson = Record<string, unknown>;

/** The path of each resource type. @see RFC 7644, 3.2. */
export const ENDPOINTS: Readonly<Record<ResourceTypeName, string>> = {
  User: "/Users",
  Group: "/Groups",
  Agent: "/Agents",
};

/** The URL of a resource. */
export function getLocation(base: string, type: ResourceTypeName, id: string): string {
  return `${base}${ENDPOINTS[type]}/${id}`;
}

/** Converts a resource to SCIM's JSON. @see RFC 7643, 3 and 8. */
export function resourceJson(
  type: ResourceTypeName,
  node: ResourceNode,
  { base, projection }: { base: string; projection: Projection },
): ResourceJson {
  const attributes = isObject(node.attributes) ? node.attributes : {};
  const { schema, extensions } = RESOURCE_TYPES[type];
  const used = extensions.filter(({ id }) => attributes[id] !== undefined);
  const whole = {
    ...attributes,
    ...references(base, attributes),
    schemas: [schema.id, ...used.map(({ id }) => id)],
    id: node.uuid,
    meta: {
      resourceType: type,
      created: node.createdAt,
      lastModified: node.updatedAt,
      location: getLocation(base, type, node.uuid),
      version: node.version,
    },
  };
  return project(type, whole, projection);
}

/** Adds the URLs of referenced resources. @see RFC 7643, 2.3.7. */
function references(base: string, attributes: Record<string, unknown>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const { groups, members } = attributes;
  if (Array.isArray(groups)) found["groups"] = groups.map((group) => addRef(base, "Group", group));
  if (Array.isArray(members)) found["members"] = members.map((member) => addRef(base, "User", member));
  for (const { id } of RESOURCE_TYPES.User.extensions) {
    const extension = attributes[id];
    if (!isObject(extension) || extension["manager"] === undefined) continue;
    found[id] = { ...extension, manager: managerJson(base, extension["manager"]) };
  }
  return found;
}

/** A manager who is not a user of the workspace has no URL. */
function managerJson(base: string, manager: unknown): unknown {
  return isObject(manager) && manager["$ref"] !== undefined ? addRef(base, "User", manager) : manager;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function addRef(base: string, type: ResourceTypeName, reference: unknown): unknown {
  if (!isObject(reference)) return reference;
  const { value, $ref: _relative, ...rest } = reference;
  if (typeof value !== "string" || !UUID.test(value)) return reference;
  return { value, $ref: getLocation(base, type, value), ...rest };
}
