import { type Statement, buildStatement } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireDirectoryReader } from "./guard.ts";
import { type Members, type Resource, SELECT_AGENT, SELECT_USER, selectGroup } from "./resource.ts";
import type { ResourceTypeName } from "./resource-types.ts";
import { type VersionCondition, requireVersion } from "./version.ts";

/** The resource, and how many of a group's members to read. */
export type ResourceKey = { type: ResourceTypeName; id: string } & Members;

/**
 * Reads a user, a group or an agent.
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
  const lock = LOCKS[key.type];
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

/** Whoever refers to an agent need not wait: its key doesn't change. */
const LOCKS: Record<ResourceTypeName, string> = {
  User: "FOR UPDATE OF u",
  Group: "FOR UPDATE OF g",
  Agent: "FOR NO KEY UPDATE OF a",
};

function selectOne(key: ResourceKey, lock = ""): Statement<Resource> {
  return buildStatement("", `${buildSelect(key)} ${lock}`);
}

function buildSelect(key: ResourceKey): string {
  switch (key.type) {
    case "User":
      return `${SELECT_USER} WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid AND u.deleted_at IS NULL`;
    case "Group":
      return `${selectGroup(key)} WHERE g.workspace_id = $1::uuid AND g.id = $2::uuid`;
    case "Agent":
      return `${SELECT_AGENT} WHERE a.workspace_id = $1::uuid AND a.id = $2::uuid AND a.deleted_at IS NULL`;
  }
}
