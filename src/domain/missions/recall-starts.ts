import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand, Mission } from "../../db/generated/client.ts";
import { commandEvent } from "../agent-commands/command-event.ts";
import type { CommandsAppendContent } from "../agent-commands/insert-agent-command.ts";
import type { Transaction } from "../kernel/context.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { insertMissionCommands } from "./insert-mission-commands.ts";

type Withdrawn = AgentCommand & { $from: AgentCommand["status"] };

const WITHDRAW = sql<Withdrawn>`
WITH open AS MATERIALIZED (
  SELECT id, status FROM agent_command
  WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[]) AND status IN ('queued', 'delivered', 'acknowledged', 'running')
  ORDER BY id FOR NO KEY UPDATE
)
UPDATE agent_command c SET
  status = 'canceled', finished_at = at.now, next_deadline_at = NULL, generation = c.generation + 1,
  updated_at = at.now, status_detail = 'The mission was taken back.'
FROM open, (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE c.workspace_id = $1::uuid AND c.id = open.id
RETURNING ${selectList("c", TABLES.agentCommand)}, open.status AS "$from"`;

/**
 * Takes missions back from robots that have not started them: cancels their start commands, and sends a
 * cancel command to robots that may already have the start.
 *
 * @returns the cancel commands by robot id, and what the transaction must append.
 */
export async function recallStarts(
  tx: Transaction,
  missions: readonly Mission[],
): ReturnType<typeof insertMissionCommands> {
  const { workspaceId } = tx.ctx;
  const starts = missions.flatMap(({ startCommandId }) => startCommandId ?? []);
  if (starts.length === 0) return { commands: new Map(), appended: { events: [], totals: [] } };
  const withdrawn = await tx.run(WITHDRAW, [workspaceId, starts]);
  const unseen = new Set(withdrawn.filter(({ $from }) => $from === "queued").map(({ id }) => id));
  const orders = missions.flatMap(({ id, robotId, startCommandId }) =>
    robotId === null || startCommandId === null || unseen.has(startCommandId)
      ? []
      : [{ robotId, missionId: id }],
  );
  const cancels = await insertMissionCommands(tx, { type: "mission.cancel", priority: "urgent", orders });
  const ends: CommandsAppendContent = {
    events: withdrawn.map((command) => commandEvent("agent_command.finished", command)),
    totals: withdrawn.map(({ $from, status }) => ({ collection: "agent_commands", from: $from, to: status })),
  };
  return { commands: cancels.commands, appended: mergeAppends(ends, cancels.appended) };
}
