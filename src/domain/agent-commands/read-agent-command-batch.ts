import { sql } from "../../db/sql.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { isCommandOver } from "./command-states.ts";

/** The status of commands that were issued together. */
export type AgentCommandBatch = {
  batchId: string;
  total: number;
  /** Commands that have not finished. */
  open: number;
  /** Counts by status. Statuses without commands are left out. */
  counts: { status: AgentCommand["status"]; count: number }[];
};

/**
 * Counts the commands that were issued together.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; not_found.
 */
export async function readAgentCommandBatch(ctx: Ctx, batchId: string): Promise<AgentCommandBatch> {
  requireScope(ctx, "agent_commands:read");
  const counts = await ctx.read(COUNTS, [ctx.workspaceId, batchId]);
  if (counts.length === 0) throw createNotFoundError("batch of commands");
  return {
    batchId,
    total: sumCounts(counts),
    open: sumCounts(counts.filter((one) => !isCommandOver(one))),
    counts,
  };
}

function sumCounts(counts: AgentCommandBatch["counts"]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

const COUNTS = sql<{ status: AgentCommand["status"]; count: number }>`
SELECT status, count(*)::int AS count FROM agent_command
WHERE workspace_id = $1::uuid AND batch_id = $2::uuid GROUP BY status ORDER BY status`;
