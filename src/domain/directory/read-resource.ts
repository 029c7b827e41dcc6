import type { Ctx, Transaction } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { requireDirectoryReader } from "./guard.ts";
import { type Members, type Resource, SELECT_USER, selectGroup } from "./resource.ts";
import type { ResourceTypeName } from "./resource-types.ts";

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
  if (resource === undefined) throw notFound(key.type.toLowerCase());
  return resource;
}

/**
 * Locks a resource until the transaction ends, and reads it.
 *
 * @param ifMatch ETags of which one must be the resource's; null for any.
 * @throws {DomainError} not_found; precondition_failed.
 * @see RFC 7644, 3.14.
 */
export async function lockResource(
  { db, ctx }: Transaction,
  key: ResourceKey,
  ifMatch: readonly string[] | null,
): Promise<Resource> {
  const lock = `${selectOne(key)} FOR UPDATE OF ${key.type === "User" ? "u" : "g"}`;
  const [resource] = await db.$queryRawUnsafe<Resource[]>(lock, ctx.workspaceId, key.id);
  if (resource === undefined) throw notFound(key.type.toLowerCase());
  if (ifMatch !== null && !ifMatch.some((tag) => isSameTag(tag, resource.version))) {
    throw new DomainError(
      "precondition_failed",
      `The ${key.type.toLowerCase()} has changed: its version is another.`,
    );
  }
  return resource;
}

/** Reads a resource within the transaction that has changed it. */
export async function rereadResource({ db, ctx }: Transaction, key: ResourceKey): Promise<Resource> {
  const [resource] = await db.$queryRawUnsafe<Resource[]>(selectOne(key), ctx.workspaceId, key.id);
  if (resource === undefined) throw notFound(key.type.toLowerCase());
  return resource;
}

function selectOne(key: ResourceKey): string {
  return key.type === "User"
    ? `${SELECT_USER} WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid AND u.deleted_at IS NULL`
    : `${selectGroup(key)} WHERE g.workspace_id = $1::uuid AND g.id = $2::uuid`;
}

/** The tags are weak on both sides, as RFC 7644, 3.14 shows them. */
function isSameTag(tag: string, version: string): boolean {
  return tag.trim() === "*" || tag.trim().replace(/^W\//, "") === version.replace(/^W\//, "");
}
