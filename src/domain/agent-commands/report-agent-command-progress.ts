import { sql } from "../../db/sql.ts";
import { z } from "zod";
import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { requireCommandState } from "./command-states.ts";
import { lockOwnCommand } from "./lock-agent-command.ts";
import { moveOwnCommand, defineOwnMove } from "./move-own-command.ts";

const shape = z.object({
  id: uuid,
  progress: z.number().min(0).max(1).nullish(),
  detail: text(LIMITS.textLength).nullish(),
});

/**
 * Reports that an agent is carrying out a command, and its progress. Only the first report is an event.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:ack`; not_found for another agent's
 *   command; validation_failed; invalid_state.
 */
export async function reportAgentCommandProgress(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<AgentCommand> {
  requireScope(ctx, "agent_commands:ack");
  requireAgent(ctx);
  const { id, ...how } = parseInput(shape, input);
  const values = [how.progress ?? null, how.detail ?? null];
  return ctx.transaction(async (tx) => {
    for (;;) {
      const command = (await tick(tx, id, values)) ?? (await moveOwnCommand(tx, START, { id, values }));
      if (command !== null) return command;
      requireCommandState((await lockOwnCommand(tx, id)).command, "progress");
    }
  });
}

const START = defineOwnMove("agent_command.updated", {
  from: ["acknowledged"],
  set: `status = 'running', started_at = at.now, progress = COALESCE($4::float8, c.progress),
  status_detail = COALESCE($5, c.status_detail)`,
});

/** Null if the command is not running. */
async function tick({ run, ctx }: Transaction, id: string, values: unknown[]): Promise<AgentCommand | null> {
  const [command] = await run(TICK, [ctx.workspaceId, id, requireAgent(ctx).id, ...values]);
  return command ?? null;
}

/** Increments the list's version without an event. */
const TICK = sql<AgentCommand>`
WITH held AS (
  SELECT id, progress, status_detail FROM agent_command
  WHERE workspace_id = $1::uuid AND id = $2::uuid AND agent_id = $3::uuid AND status = 'running'
  FOR NO KEY UPDATE
), counted AS (
  UPDATE collection_total SET ticks = ticks + 1 FROM held
  WHERE workspace_id = $1::uuid AND collection = 'agent_commands' AND facet = 'all'
    AND (COALESCE($4::float8, held.progress), COALESCE($5, held.status_detail))
      IS DISTINCT FROM (held.progress, held.status_detail)
)
UPDATE agent_command c SET progress = COALESCE($4::float8, c.progress), status_detail = COALESCE($5, c.status_detail)
FROM held WHERE c.workspace_id = $1::uuid AND c.id = held.id
RETURNING ${selectList("c", TABLES.agentCommand)}`;
