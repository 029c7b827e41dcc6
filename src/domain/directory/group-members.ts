import { NOW, buildStatement, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { type ElementsField, compileInElement } from "./compile-filter.ts";
import { coerceValue } from "./coerce.ts";
import { isObject } from "../kernel/is-object.ts";
import type { ScimFilter } from "./filter.ts";
import { GROUP_SCHEMA } from "./group-schema.ts";
import { type PatchOperation, createPathError, createNoTargetError } from "./patch-operation.ts";
import { findAttributeByName } from "./resource-types.ts";
import { getStoredElements } from "./storage.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

/** The effect of changes to a group's members: ids of users, and requested values that are not users. */
export type MemberChanges = { added: string[]; removed: string[]; unknown: string[] };

const AUDITED_AT_MOST = 100;

/** The changed members for the audit log: by id or, if there are many, only their number. */
export function toAuditMembers({ added, removed, unknown }: MemberChanges): Record<string, unknown> {
  return {
    added: summarizeIds(added),
    removed: summarizeIds(removed),
    unknown_members: summarizeIds(unknown),
  };
}

/** What is not an id may be long. */
function summarizeIds(ids: string[]): string[] | number {
  return ids.length <= AUDITED_AT_MOST ? ids.map((id) => id.slice(0, LIMITS.nameLength)) : ids.length;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Applies an operation to the members of a locked group. Ignores users that are already members and ids of
 * unknown users.
 *
 * @throws {DomainError} validation_failed; invalid_path; invalid_filter; no_target; immutable_attribute.
 * @see RFC 7644, 3.5.2.
 */
export async function patchMembers(
  tx: Transaction,
  groupId: string,
  operation: PatchOperation,
): Promise<MemberChanges> {
  const { op, where, sub, value } = operation;
  if (sub !== null) rejectChange(sub);
  if (op === "remove") {
    return { added: [], removed: await removeMembers(tx, groupId, { where, value }), unknown: [] };
  }
  if (value === undefined) throw createFieldError("value", "is required");
  const ids = memberIds(value);
  if (op === "add") return addMembers(tx, groupId, ids);
  if (where === null) return replaceMembers(tx, groupId, ids);
  const gone = await removeMembers(tx, groupId, { where, value: undefined });
  if (gone.length === 0) throw createNoTargetError();
  return toNetChanges(gone, await addMembers(tx, groupId, ids));
}

/** Members can be added and removed, but not changed. @see RFC 7643, 4.2 and 8.7.1. */
function rejectChange(name: string): never {
  const sub = findAttributeByName(getMembersAttribute().subAttributes ?? [], name);
  if (sub === undefined) throw createPathError(`members has no ${name}.`);
  throw new DomainError("immutable_attribute", `members.${sub.name} can't be changed.`, { field: sub.name });
}

/**
 * Returns the ids in a list of members, without duplicates.
 *
 * @throws {DomainError} validation_failed for a member of type group.
 */
export function memberIds(value: unknown): string[] {
  const coerced = value === undefined ? [] : coerceValue(getMembersAttribute(), value);
  const members = Array.isArray(coerced) ? coerced.filter(isObject) : [];
  if (members.some(({ type }) => String(type).toLowerCase() === "group")) throw createNestedGroupError();
  const ids = members.map(({ value: id, $ref }) =>
    (typeof id === "string" ? id : parseRefId($ref)).toLowerCase(),
  );
  return [...new Set(ids)].filter((id) => id !== "");
}

/** A $ref ends with the id. @see RFC 7643, 2.4: "$ref". */
function parseRefId(address: unknown): string {
  return typeof address === "string" ? address.slice(address.lastIndexOf("/") + 1) : "";
}

/** Ignoring a group silently would make it look like a member. */
function createNestedGroupError(): DomainError {
  return createFieldError("members", "must be users: nested groups are not supported");
}

/** Replaces the group's members. */
export async function replaceMembers(
  tx: Transaction,
  groupId: string,
  ids: string[],
): Promise<MemberChanges> {
  const { run, ctx } = tx;
  const gone = await run(DELETE, [ctx.workspaceId, groupId, ids.filter((id) => UUID.test(id))]);
  return toNetChanges(getIds(gone), await addMembers(tx, groupId, ids));
}

/** Not <> ALL, which compares every member with every id where the plan is made before they are known. */
const DELETE = sql<{ id: string }>`
DELETE FROM group_member m WHERE workspace_id = $1::uuid AND group_id = $2::uuid
  AND NOT EXISTS (SELECT FROM unnest($3::uuid[]) kept(id) WHERE kept.id = m.user_id)
RETURNING user_id AS id`;

async function addMembers(tx: Transaction, groupId: string, ids: string[]): Promise<MemberChanges> {
  const { run, ctx } = tx;
  if (ids.length === 0) return { added: [], removed: [], unknown: [] };
  const rows = await run(INSERT, [ctx.workspaceId, groupId, ids.filter((id) => UUID.test(id))]);
  const known = new Set(getIds(rows));
  const unknown = ids.filter((id) => !known.has(id));
  await rejectGroups(tx, unknown);
  return { added: getIds(rows.filter(({ added }) => added)), removed: [], unknown };
}

const INSERT = sql<{ id: string; added: boolean }>`
WITH known AS (
  SELECT id FROM "user" WHERE workspace_id = $1::uuid AND id = ANY ($3::uuid[]) AND deleted_at IS NULL
  ORDER BY id FOR KEY SHARE
), added AS (
  INSERT INTO group_member (workspace_id, group_id, user_id, created_at)
  SELECT $1::uuid, $2::uuid, id, ${NOW} FROM known ON CONFLICT DO NOTHING RETURNING user_id
)
SELECT known.id, added.user_id IS NOT NULL AS added FROM known LEFT JOIN added ON added.user_id = known.id`;

async function rejectGroups({ run, ctx }: Transaction, ids: string[]): Promise<void> {
  const strange = ids.filter((id) => UUID.test(id));
  if (strange.length === 0) return;
  const groups = await run(READ, [ctx.workspaceId, strange]);
  if (groups.length > 0) throw createNestedGroupError();
}

const READ = sql`SELECT FROM "group" WHERE workspace_id = $1::uuid AND id = ANY ($2::uuid[]) LIMIT 1`;

/** Removes all members, those that match a condition, or those in a value. */
async function removeMembers(
  { run, ctx }: Transaction,
  groupId: string,
  { where, value }: { where: ScimFilter | null; value: unknown },
): Promise<string[]> {
  const values: unknown[] = [ctx.workspaceId, groupId];
  const elements: ElementsField = {
    attribute: getMembersAttribute(),
    stored: getStoredElements("Group", "members"),
  };
  const conditions =
    where === null ? [] : [compileInElement(elements, where, (bound) => `$${values.push(bound)}`)];
  if (value !== undefined && value !== null) {
    const named = memberIds(value).filter((id) => UUID.test(id));
    conditions.push(`m.user_id = ANY ($${values.push(named)}::uuid[])`);
  }
  const text = `DELETE FROM group_member m USING "user" eu
    WHERE m.workspace_id = $1::uuid AND m.group_id = $2::uuid AND eu.workspace_id = m.workspace_id AND eu.id = m.user_id
      ${conditions.map((condition) => `AND (${condition})`).join(" ")} RETURNING m.user_id AS id`;
  return getIds(await run(buildStatement<{ id: string }>("", text), values));
}

/** Members who were removed and added again have not changed. */
function toNetChanges(gone: string[], { added, unknown }: MemberChanges): MemberChanges {
  const [left, came] = [new Set(gone), new Set(added)];
  return {
    added: added.filter((id) => !left.has(id)),
    removed: gone.filter((id) => !came.has(id)),
    unknown,
  };
}

function getIds(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

function getMembersAttribute() {
  const members = findAttributeByName(GROUP_SCHEMA.attributes, "members");
  if (members === undefined) throw new Error("groups have no attribute members");
  return members;
}
