import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Services } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { createFairTurns } from "../../domain/sweeps/fair-turns.ts";
import { repeat } from "../../domain/sweeps/repeat.ts";
import { type SweepRun, sweepWorkspaces } from "../../domain/sweeps/sweep-workspaces.ts";
import { refreshMcpTools } from "./refresh-mcp-tools.ts";

const EVERY_MS = 10_000;
/** Workspaces whose servers are asked at once, and how long a run waits for slow ones before it looks for others. */
const TURNS = { workers: 8, patienceMs: 200 };

const DUE_WORKSPACES = sql<{ id: string }>`
SELECT DISTINCT workspace_id AS id FROM mcp_server WHERE tools_due_at <= ${NOW} AND enabled`;

/** Not all of the servers that were registered together come due together again. */
const TAKE = sql<{ id: string }>`
WITH due AS MATERIALIZED (
  SELECT id FROM mcp_server WHERE workspace_id = $1::uuid AND tools_due_at <= ${NOW} AND enabled
  ORDER BY tools_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE mcp_server s SET tools_due_at = ${NOW} + ${LIMITS.mcpRefreshMinutes} * (0.8 + 0.4 * random()) * interval '1 minute'
FROM due
WHERE s.workspace_id = $1::uuid AND s.id = due.id
RETURNING s.id`;

/**
 * Asks the servers for their tools whose turn it is, so that tools that were changed are denied until they are
 * reviewed. Any number of nodes may run it at once: each server is asked by one.
 *
 * @throws {AggregateError} all errors, after every workspace had its turn.
 */
export async function refreshDueTools(services: Services, run: SweepRun = {}): Promise<void> {
  await sweepWorkspaces(services, run, { due: DUE_WORKSPACES, actor: "mcp refresh", batch: refreshNext });
}

/** Looks for servers whose turn it is, again and again. */
export function startToolRefreshes(services: Services, now: Date | null): { stop: () => Promise<void> } {
  const turns = createFairTurns(TURNS);
  const loop = repeat(services.log, {
    everyMs: EVERY_MS,
    run: async () => {
      await refreshDueTools(services, { now, turns });
      return false;
    },
    failure: "some MCP servers could not be asked for their tools",
  });
  return {
    stop: async () => {
      await loop.stop();
      await turns.settle();
    },
  };
}

async function refreshNext(ctx: Ctx): Promise<number> {
  const [taken] = await ctx.run(TAKE, [ctx.workspaceId]);
  if (taken === undefined) return 0;
  ctx.signal = ctx.services.stopping ?? null;
  try {
    await refreshMcpTools(ctx, taken);
  } catch (error) {
    const code = error instanceof DomainError ? error.code : null;
    if (code === "rate_limited") await ctx.run(POSTPONE, [ctx.workspaceId, taken.id]);
    // Otherwise it was deleted meanwhile.
    else if (code !== "not_found") throw error;
  }
  return 1;
}

/** This node asks too many servers at the moment. */
const POSTPONE = sql`
UPDATE mcp_server SET tools_due_at = ${NOW} + interval '20 seconds' WHERE workspace_id = $1::uuid AND id = $2::uuid`;
