import { type Statement, buildStatement } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireDirectoryReader } from "./guard.ts";
import { type Members, type Resource, SELECT_USER, selectGroup } from "./resource.ts";
import type { ResourceTypeName } from "./resource-types.ts";
import { type VersionCondition, requireVersion } from "./version.ts";

/** The resource, and how many of a group's members to read. */
export type ResourceKey = { type: ResourceTypeName; id: string } & Members;

/**
 * Reads a user or a group.
 *
 * @throws {DomainError} forbidden; not_found.
 */
export async function readDirectoryResource(ctx: Ctx, key: ResourceKey): Promise<Resource> {
  requireDirectoryReader(ctx);
  const [resource] = await ctx.read(selectOne(key), [ctx.workspaceId, key.id]);
  if (resource === undefined) throw createNotFoundError(key.type.toLowerCase());
  return resource;
}

/**
 * Locks a resource until the transaction ends, and reads it.
 *
 * @param condition on its version; null for none.
 * @throws {DomainError} not_found; precondition_failed.
 * @see RFC 7644, 3.14.
 */
export async function lockResource(
  { run, ctx }: Transaction,
  key: ResourceKey,
  condition: VersionCondition | null,
): Promise<Resource> {
  const lock = `FOR UPDATE OF ${key.type === "User" ? "u" : "g"}`;
  const [resource] = await run(selectOne(key, lock), [ctx.workspaceId, key.id]);
  if (resource === undefined) throw createNotFoundError(key.type.toLowerCase());
  if (condition !== null) requireVersion(key.type.toLowerCase(), resource.version, condition);
  return resource;
}

/** Reads a resource in the transaction that has changed it. */
export async function rereadResource({ run, ctx }: Transaction, key: ResourceKey): Promise<Resource> {
  const [resource] = await run(selectOne(key), [ctx.workspaceId, key.id]);
  if (resource === undefined) throw createNotFoundError(key.type.toLowerCase());
  return resource;
}

function selectOne(key: ResourceKey, lock = ""): Statement<Resource> {
  const text =
    key.type === "User"
      ? `${SELECT_USER} WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid AND u.deleted_at IS NULL`
      : `${selectGroup(key)} WHERE g.workspace_id = $1::uuid AND g.id = $2::uuid`;
  return buildStatement("", `${text} ${lock}`);
}
