import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import type { Services } from "../../domain/kernel/services.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { createFairTurns } from "../../domain/sweeps/fair-turns.ts";
import { repeat } from "../../domain/sweeps/repeat.ts";
import { type SweepRun, sweepWorkspaces } from "../../domain/sweeps/sweep-workspaces.ts";
import { refreshMcpTools } from "./refresh-mcp-tools.ts";

const EVERY_MS = 10_000;
/** How long a run waits for slow servers before it looks for others. */
const PATIENCE_MS = 200;

/**
 * Servers that are asked in turns of their own, of how many workspaces at once: those that were down at last may hang
 * again, and must not delay those that answer.
 */
const GROUPS = [
  { workers: 8, which: "enabled AND health <> 'down'" },
  { workers: 4, which: "enabled AND health = 'down'" },
].map(({ workers, which }) => ({
  workers,
  due: sql<{ id: string }>`
SELECT DISTINCT workspace_id AS id FROM mcp_server WHERE tools_due_at <= ${NOW} AND ${which}`,
  // Not all of the servers that were registered together come due together again.
  take: sql<{ id: string }>`
WITH due AS MATERIALIZED (
  SELECT id FROM mcp_server WHERE workspace_id = $1::uuid AND tools_due_at <= ${NOW} AND ${which}
  ORDER BY tools_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE mcp_server s SET tools_due_at = ${NOW} + ${LIMITS.mcpRefreshMinutes} * (0.8 + 0.4 * random()) * interval '1 minute'
FROM due
WHERE s.workspace_id = $1::uuid AND s.id = due.id
RETURNING s.id`,
}));

type Group = (typeof GROUPS)[number] & Pick<SweepRun, "turns">;

/**
 * Asks the servers for their tools whose turn it is, so that tools that were changed are denied until they are
 * reviewed. Any number of nodes may run it at once: each server is asked by one.
 *
 * @param groups with turns that all runs share. By default, the run waits for all work.
 * @throws {AggregateError} all errors, after every workspace had its turn.
 */
export async function refreshDueTools(
  services: Services,
  now: Date | null,
  groups: readonly Group[] = GROUPS,
): Promise<void> {
  const runs = groups.map(({ due, take, turns }) =>
    sweepWorkspaces(
      services,
      { now, turns },
      { due, actor: "mcp refresh", batch: (ctx) => refreshNext(ctx, take) },
    ),
  );
  const ended = await Promise.allSettled(runs);
  const failures = ended.flatMap((one): unknown[] => (one.status === "rejected" ? [one.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, "some workspaces' servers could not be asked");
}

/** Looks for servers whose turn it is, again and again. */
export function startToolRefreshes(services: Services, now: Date | null): { stop: () => Promise<void> } {
  const groups = GROUPS.map((group) => ({
    ...group,
    turns: createFairTurns({ workers: group.workers, patienceMs: PATIENCE_MS }),
  }));
  const loop = repeat(services, {
    name: "tool_refreshes",
    everyMs: EVERY_MS,
    run: async () => {
      await refreshDueTools(services, now, groups);
      return false;
    },
    failure: "some MCP servers could not be asked for their tools",
  });
  return {
    stop: async () => {
      await loop.stop();
      await Promise.all(groups.map(({ turns }) => turns.settle()));
    },
  };
}

async function refreshNext(ctx: Ctx, take: Group["take"]): Promise<number> {
  const [taken] = await ctx.run(take, [ctx.workspaceId]);
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
