import type { Ctx, Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireDirectoryReader } from "./guard.ts";
import { type Members, type Resource, SELECT_USER, selectGroup } from "./resource.ts";
import type { ResourceTypeName } from "./resource-types.ts";
import { type VersionCondition, requireVersion } from "./version.ts";

/** Which resource, and how much of a group. */
export type ResourceKey = { type: ResourceTypeName; id: string } & Members;

/**
 * Reads a user or a group.
 *
 * @throws {DomainError} forbidden; not_found.
 */
export async function readDirectoryResource(ctx: Ctx, key: ResourceKey): Promise<Resource> {
  requireDirectoryReader(ctx);
  const text = selectOne(key);
  const [resource] = await ctx.read<Resource>({ name: "", text }, [ctx.workspaceId, key.id]);
  if (resource === undefined) throw createNotFoundError(key.type.toLowerCase());
  return resource;
}

/**
 * Locks a resource until the transaction ends, and reads it.
 *
 * @param condition what its version is held to; null for any version.
 * @throws {DomainError} not_found; precondition_failed.
 * @see RFC 7644, 3.14.
 */
export async function lockResource(
  { db, ctx }: Transaction,
  key: ResourceKey,
  condition: VersionCondition | null,
): Promise<Resource> {
  const lock = `${selectOne(key)} FOR UPDATE OF ${key.type === "User" ? "u" : "g"}`;
  const [resource] = await db.$queryRawUnsafe<Resource[]>(lock, ctx.workspaceId, key.id);
  if (resource === undefined) throw createNotFoundError(key.type.toLowerCase());
  if (condition !== null) requireVersion(key.type.toLowerCase(), resource.version, condition);
  return resource;
}

/** Reads a resource within the transaction that has changed it. */
export async function rereadResource({ db, ctx }: Transaction, key: ResourceKey): Promise<Resource> {
  const [resource] = await db.$queryRawUnsafe<Resource[]>(selectOne(key), ctx.workspaceId, key.id);
  if (resource === undefined) throw createNotFoundError(key.type.toLowerCase());
  return resource;
}

function selectOne(key: ResourceKey): string {
  return key.type === "User"
    ? `${SELECT_USER} WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid AND u.deleted_at IS NULL`
    : `${selectGroup(key)} WHERE g.workspace_id = $1::uuid AND g.id = $2::uuid`;
}
