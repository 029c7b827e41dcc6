import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "./context.ts";
import { createNotFoundError } from "./errors.ts";
import { requireScope } from "./guard.ts";
import type { Scope } from "./scopes.ts";

/** The lists whose version tells of every visible change; agents and robots also show when they were last seen. */
const SCOPES = {
  messages: "messages:read",
  tasks: "tasks:read",
  eval_runs: "eval_runs:read",
  agent_commands: "agent_commands:read",
  missions: "missions:read",
} as const satisfies Record<string, Scope>;

/** A list whose version is kept. */
export type VersionedList = keyof typeof SCOPES;

/** Every list whose version is kept. */
export const VERSIONED_LISTS = Object.keys(SCOPES) as readonly VersionedList[];

/**
 * Tells what version a collection is of, or its part of one status, without reading any of it. A page that is
 * read later is of this version or a newer one.
 *
 * @throws {DomainError} insufficient_scope for a caller who may not list the collection.
 */
export async function readListVersion(
  ctx: Ctx,
  collection: VersionedList,
  status: string | null | undefined,
): Promise<string> {
  requireScope(ctx, SCOPES[collection]);
  const values = [ctx.workspaceId, collection, status ?? "all"];
  const [row] = await ctx.read(VERSION, values);
  if (row === undefined) throw createNotFoundError("workspace");
  return listVersion(row);
}

/** What a collection's version is made of: the workspace's history, the last event, and changes without one. */
type Version = { epoch: string; version: bigint; ticks: bigint };

/** A collection's version, opaque to clients: it changes with every visible change and never comes back. */
export function listVersion({ epoch, version, ticks }: Version): string {
  return `${epoch}.${version}.${ticks}`;
}

const VERSION = share(sql<Version>`
SELECT h.epoch, COALESCE(c.version, 0) AS version, COALESCE(k.ticks, 0) AS ticks FROM workspace_head h
LEFT JOIN collection_total c ON c.workspace_id = h.workspace_id AND c.collection = $2 AND c.facet = $3
LEFT JOIN collection_total k ON k.workspace_id = h.workspace_id AND k.collection = $2 AND k.facet = 'all'
WHERE h.workspace_id = $1::uuid`);
