import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "./context.ts";
import { createNotFoundError } from "./errors.ts";
import { requireScope } from "./guard.ts";
import type { Scope } from "./scopes.ts";

/**
 * Lists whose version changes with every visible change. Those of agents and robots also show the last
 * contact, which changes no version.
 */
const SCOPES = {
  messages: "messages:read",
  tasks: "tasks:read",
  eval_runs: "eval_runs:read",
  agent_commands: "agent_commands:read",
  missions: "missions:read",
} as const satisfies Record<string, Scope>;

export type VersionedList = keyof typeof SCOPES;

export const VERSIONED_LISTS = Object.keys(SCOPES) as readonly VersionedList[];

/**
 * Returns the version of a collection, or of its part with one status, without reading it. A page that is
 * read later has this version or a newer one.
 *
 * @throws {DomainError} insufficient_scope if the caller may not list the collection.
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

/**
 * The parts of a collection's version: the epoch, the last event, and the number of changes without an
 * event.
 */
type Version = { epoch: string; version: bigint; ticks: bigint };

/** Returns a collection's opaque version, which changes with every visible change and never repeats. */
export function listVersion({ epoch, version, ticks }: Version): string {
  return `${epoch}.${version}.${ticks}`;
}

const VERSION = share(sql<Version>`
SELECT h.epoch, COALESCE(c.version, 0) AS version, COALESCE(k.ticks, 0) AS ticks FROM workspace_head h
LEFT JOIN collection_total c ON c.workspace_id = h.workspace_id AND c.collection = $2 AND c.facet = $3
LEFT JOIN collection_total k ON k.workspace_id = h.workspace_id AND k.collection = $2 AND k.facet = 'all'
WHERE h.workspace_id = $1::uuid`);
