import type { ResourceTypeName } from "./resource-types.ts";
import type { Role } from "../kernel/scopes.ts";
import {
  AGENT_VERSION,
  GROUP_VERSION,
  MANAGER_ID,
  USER_EMAILS,
  USER_GROUPS,
  USER_NAME,
  userVersion,
  groupMembers,
} from "./storage.ts";

/** A resource's attributes by their names in RFC 7643, without id, schemas and meta. */
export type Attributes = Record<string, unknown>;

/** A user, a group or an agent as SCIM shows it. */
export type Resource = {
  type: ResourceTypeName;
  id: string;
  attributes: Attributes;
  /** The weak ETag with its quotes. @see RFC 7644, 3.14. */
  version: string;
  /** A user's role, or the role that a group is mapped to. Null for agents. */
  role: Role | null;
  /** A user's manager, if that is a user of the workspace. */
  managerId: string | null;
  /** A user's address for log-in. */
  email: string | null;
  generation: number;
  createdAt: Date;
  updatedAt: Date;
};

/** Which members of a group to read: all, none, or all if there are at most so many. */
export type Members = { members: "all" | "none" | { atMost: number } };

const COMMON = `role::text AS role, generation, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Selects users of the workspace `$1`. A WHERE or JOIN on `u` may follow. */
export const SELECT_USER = `
SELECT 'User' AS type, u.id, ${userVersion("manager.id")} AS version, u.email, manager.id AS "managerId",
  ${qualifyColumns("u")},
  jsonb_strip_nulls(jsonb_build_object(
    'userName', ${USER_NAME}, 'externalId', u.external_id, 'displayName', u.name, 'active', u.suspended_at IS NULL,
    'emails', ${USER_EMAILS}, 'groups', ${USER_GROUPS})) || u.profile AS attributes
FROM "user" u LEFT JOIN LATERAL ${MANAGER_ID} manager ON TRUE`;

/** Selects groups of the workspace `$1`. A WHERE or JOIN on `g` may follow. */
export function selectGroup({ members }: Members): string {
  const list = members === "none" ? "NULL" : groupMembers(members === "all" ? null : members.atMost);
  return `
SELECT 'Group' AS type, g.id, ${GROUP_VERSION} AS version, NULL AS email, NULL::uuid AS "managerId",
  ${qualifyColumns("g")},
  jsonb_strip_nulls(jsonb_build_object(
    'displayName', g.display_name, 'externalId', g.external_id, 'members', ${list})) AS attributes
FROM "group" g`;
}

/** Selects agents of the workspace `$1`. A WHERE or JOIN on `a` may follow. */
export const SELECT_AGENT = `
SELECT 'Agent' AS type, a.id, ${AGENT_VERSION} AS version, NULL AS email, NULL::uuid AS "managerId",
  NULL AS role, a.generation, a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  jsonb_strip_nulls(jsonb_build_object(
    'agentUserName', a.handle, 'externalId', a.external_id, 'displayName', a.name, 'description', a.description,
    'agentType', a.kind, 'active', a.archived_at IS NULL)) AS attributes
FROM agent a`;

function qualifyColumns(alias: string): string {
  return COMMON.replaceAll(/(?<=^|, )(?=\w)/g, `${alias}.`);
}
