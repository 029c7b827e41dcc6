import type { ResourceTypeName } from "./resource-types.ts";
import { RESOURCE_TYPES } from "./resource-types.ts";
import { ENTERPRISE_SCHEMA } from "./user-schema.ts";

/**
 * A single value as SQL. `uuid`: the column, if the value is a uuid after `prefix`. `price`: the cost in a
 * filter, for values that take much longer than reading the row: every condition unpacks a long one again.
 */
export type StoredValue = { sql: string; uuid?: string; prefix?: string; price?: number };

/** The elements of a multi-valued attribute as SQL: the FROM clause, and how each sub-attribute is read. */
export type StoredElements = {
  from: string;
  /** The elements' stored order. */
  order: string;
  value: (subAttribute: string) => StoredValue | null;
};

/** The price of texts of which a user may have two hundred, of thousands of characters, whose case every condition folds. */
const LONG_TEXT = 4;

/** A user's userName. Members who were not provisioned have only an address. */
export const USER_NAME = "COALESCE(u.user_name, u.email)";

/** A user's display value in a group's members. */
const MEMBER_NAME = "COALESCE(eu.name, eu.user_name, eu.email)";

/** The groups of the user `u` as SCIM JSON. */
export const USER_GROUPS = `(
  SELECT jsonb_agg(jsonb_build_object('value', eg.id, 'display', eg.display_name, 'type', 'direct') ORDER BY eg.created_at, eg.id)
  FROM group_member m JOIN "group" eg ON eg.workspace_id = m.workspace_id AND eg.id = m.group_id
  WHERE m.workspace_id = u.workspace_id AND m.user_id = u.id)`;

/** The addresses of the user `u` as SCIM JSON. */
export const USER_EMAILS = `(
  SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'value', e.value, 'display', e.display, 'type', e.type, 'primary', e."primary")) ORDER BY e.place)
  FROM user_email e WHERE e.workspace_id = u.workspace_id AND e.user_id = u.id)`;

/** The members of the group `g` as SCIM JSON; none if there are more than the limit. */
export function groupMembers(limit: number | null): string {
  const isMember = "m.workspace_id = g.workspace_id AND m.group_id = g.id";
  const list = `(
  SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('value', eu.id, 'display', ${MEMBER_NAME}, 'type', 'User'))
    ORDER BY m.created_at, m.user_id)
  FROM group_member m JOIN "user" eu ON eu.workspace_id = m.workspace_id AND eu.id = m.user_id WHERE ${isMember})`;
  if (limit === null) return list;
  return `CASE WHEN (SELECT count(*) FROM (SELECT FROM group_member m WHERE ${isMember} LIMIT ${limit + 1}) few) <= ${limit}
    THEN ${list} END`;
}

const MANAGER = buildTextSql([ENTERPRISE_SCHEMA.id, "manager", "value"]);

/** The manager of the user `u`, if that is a user of the workspace: identity providers may send any id. */
export const MANAGER_ID = `(
  SELECT mu.id FROM "user" mu WHERE mu.workspace_id = u.workspace_id AND mu.deleted_at IS NULL
    AND mu.id = CASE WHEN ${MANAGER} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${MANAGER}::uuid END)`;

/** A user's ETag. It also changes with the user's groups and manager. */
export function userVersion(managerId: string): string {
  return `concat('W/"', u.generation,
  '.' || left(md5(NULLIF(concat(${USER_GROUPS}::text, ${managerId}::text), '')), 8), '"')`;
}
/** A group's ETag. Changes of members increment the generation. */
export const GROUP_VERSION = `concat('W/"', g.generation, '"')`;
/** An agent's ETag. */
export const AGENT_VERSION = `concat('W/"', a.generation, '"')`;

const VALUES: Readonly<Record<ResourceTypeName, Readonly<Record<string, StoredValue>>>> = {
  User: {
    id: { sql: "u.id::text", uuid: "u.id" },
    externalId: { sql: "u.external_id" },
    userName: { sql: USER_NAME },
    displayName: { sql: "u.name" },
    active: { sql: "(u.suspended_at IS NULL)" },
    "meta.resourceType": { sql: "'User'" },
    "meta.created": { sql: "u.created_at" },
    "meta.lastModified": { sql: "u.updated_at" },
    "meta.location": toAddressValue("Users/", "u.id"),
    "meta.version": { sql: userVersion(MANAGER_ID), price: 10 },
    [`${ENTERPRISE_SCHEMA.id}.manager.$ref`]: { sql: `('Users/' || ${MANAGER_ID}::text)`, price: 5 },
  },
  Group: {
    id: { sql: "g.id::text", uuid: "g.id" },
    externalId: { sql: "g.external_id" },
    displayName: { sql: "g.display_name" },
    "meta.resourceType": { sql: "'Group'" },
    "meta.created": { sql: "g.created_at" },
    "meta.lastModified": { sql: "g.updated_at" },
    "meta.location": toAddressValue("Groups/", "g.id"),
    "meta.version": { sql: GROUP_VERSION },
  },
  Agent: {
    id: { sql: "a.id::text", uuid: "a.id" },
    externalId: { sql: "a.external_id" },
    agentUserName: { sql: "a.handle" },
    displayName: { sql: "a.name" },
    description: { sql: "a.description", price: 1 },
    agentType: { sql: "a.kind::text" },
    active: { sql: "(a.archived_at IS NULL)" },
    "meta.resourceType": { sql: "'Agent'" },
    "meta.created": { sql: "a.created_at" },
    "meta.lastModified": { sql: "a.updated_at" },
    "meta.location": toAddressValue("Agents/", "a.id"),
    "meta.version": { sql: AGENT_VERSION },
  },
};

/** Passwords are not stored. */
const NOWHERE = "password";

/** Where a single value of a user `u`, a group `g` or an agent `a` is stored; null if it is not stored. */
export function getStoredValue(type: ResourceTypeName, path: readonly string[]): StoredValue | null {
  const known = VALUES[type][path.join(".")];
  if (known !== undefined) return known;
  if (type !== "User" || path[0] === "meta" || path[0] === NOWHERE) return null;
  return { sql: buildTextSql(path), price: 0.25 };
}

/** SQL for whether a complex, single-valued attribute has a value. */
export function buildPresenceSql(type: ResourceTypeName, path: readonly string[]): string {
  return type !== "User" || path[0] === "meta" ? "TRUE" : `(u.profile #> ${textArray(path)} IS NOT NULL)`;
}

/** Where the elements of an attribute are stored. `$1` is the workspace. */
export function getStoredElements(type: ResourceTypeName, name: string): StoredElements {
  if (name === "schemas") return schemas(type);
  if (type === "Group") return MEMBERS;
  if (name === "emails") return EMAILS;
  if (name === "groups") return GROUPS;
  return {
    from: `jsonb_array_elements(u.profile -> '${name}') WITH ORDINALITY e(element, place) WHERE TRUE`,
    order: "e.place",
    value: (sub) =>
      sub === "primary"
        ? { sql: "(e.element ->> 'primary')::boolean" }
        : { sql: `(e.element ->> '${sub}')`, price: LONG_TEXT },
  };
}

const EMAILS: StoredElements = {
  from: "user_email e WHERE e.workspace_id = $1::uuid AND e.user_id = u.id",
  order: "e.place",
  value: (sub) => ({ sql: `e."${sub}"`, ...(sub === "display" && { price: LONG_TEXT }) }),
};

const GROUPS: StoredElements = {
  from: `group_member m JOIN "group" eg ON eg.workspace_id = m.workspace_id AND eg.id = m.group_id
    WHERE m.workspace_id = $1::uuid AND m.user_id = u.id`,
  order: "eg.created_at, eg.id",
  value: (sub) =>
    pickValue(sub, {
      value: { sql: "m.group_id::text", uuid: "m.group_id" },
      $ref: toAddressValue("Groups/", "m.group_id"),
      display: { sql: "eg.display_name" },
      type: { sql: "'direct'" },
    }),
};

const MEMBERS: StoredElements = {
  from: `group_member m JOIN "user" eu ON eu.workspace_id = m.workspace_id AND eu.id = m.user_id
    WHERE m.workspace_id = $1::uuid AND m.group_id = g.id`,
  order: "m.created_at, m.user_id",
  value: (sub) =>
    pickValue(sub, {
      value: { sql: "m.user_id::text", uuid: "m.user_id" },
      $ref: toAddressValue("Users/", "m.user_id"),
      display: { sql: MEMBER_NAME },
      type: { sql: "'User'" },
    }),
};

function pickValue(name: string, values: Record<string, StoredValue>): StoredValue | null {
  return values[name] ?? null;
}

function schemas(type: ResourceTypeName): StoredElements {
  const { schema, extensions } = RESOURCE_TYPES[type];
  const used = extensions.map(({ id }) => `(CASE WHEN u.profile ? '${id}' THEN '${id}' END)`);
  return {
    from: `(VALUES ('${schema.id}')${used.map((row) => `, ${row}`).join("")}) e(value) WHERE e.value IS NOT NULL`,
    order: "e.value",
    value: () => ({ sql: "e.value" }),
  };
}

/** A URL, relative to the SCIM endpoint. @see RFC 7643, 2.3.7. */
function toAddressValue(prefix: string, uuid: string): StoredValue {
  return { sql: `concat('${prefix}', ${uuid})`, uuid, prefix };
}

/** SQL for a value in the profile of the user `u`, as text. */
function buildTextSql(path: readonly string[]): string {
  return `(u.profile #>> ${textArray(path)})`;
}

/** Quotes attribute names of our own schemas, never a caller's text. */
function textArray(path: readonly string[]): string {
  return `ARRAY[${path.map((name) => `'${name}'`).join(", ")}]`;
}
