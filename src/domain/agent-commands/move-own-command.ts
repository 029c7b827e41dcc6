import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import { type Statement, NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireAgent } from "../kernel/guard.ts";
import { type CommandEventType, commandEvent } from "./command-event.ts";

/** A change that an agent makes to its own command, in one statement. */
export type OwnMove = { event: CommandEventType; statement: Statement<MovedRow> };

type MovedRow = AgentCommand & { $from: AgentCommand["status"] };

/**
 * Defines a change that an agent makes to its own command.
 *
 * @param from the statuses that allow it.
 * @param set the columns to change, using the row `c`, the time `at.now` and values from `$4` on.
 *   `generation` and `updated_at` change automatically.
 */
export function defineOwnMove(
  event: CommandEventType,
  { from, set }: { from: readonly AgentCommand["status"][]; set: string },
): OwnMove {
  const statuses = from.map((status) => `'${status}'`).join(", ");
  const statement = sql<MovedRow>`
WITH held AS (
  SELECT id, status FROM agent_command
  WHERE workspace_id = $1::uuid AND id = $2::uuid AND agent_id = $3::uuid AND status IN (${statuses})
  FOR NO KEY UPDATE
)
UPDATE agent_command c SET ${set}, generation = c.generation + 1, updated_at = at.now
FROM held, (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE c.workspace_id = $1::uuid AND c.id = held.id
RETURNING ${selectList("c", TABLES.agentCommand)}, held.status AS "$from"`;
  return { event, statement };
}

/**
 * Changes a command of the calling agent and appends its event.
 *
 * @returns null without a change if the agent has no such command in an allowed status.
 */
export async function moveOwnCommand(
  tx: Transaction,
  { event, statement }: OwnMove,
  { id, values }: { id: string; values: readonly unknown[] },
): Promise<AgentCommand | null> {
  const { ctx } = tx;
  const agent = requireAgent(ctx);
  const [row] = await tx.run(statement, [ctx.workspaceId, id, agent.id, ...values]);
  if (row === undefined) return null;
  const { $from: from, ...command } = row;
  append(tx, {
    events: [commandEvent(event, command)],
    totals: [{ collection: "agent_commands", from, to: command.status }],
  });
  return command;
}
