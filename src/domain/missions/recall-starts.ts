import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand, Mission } from "../../db/generated/client.ts";
import { commandEvent } from "../agent-commands/command-event.ts";
import type { CommandsAppended } from "../agent-commands/insert-agent-command.ts";
import type { Transaction } from "../context.ts";
import { joined } from "../joined.ts";
import { insertMissionCommands } from "./insert-mission-commands.ts";

const WITHDRAW = `
UPDATE agent_command c SET
  status = 'canceled', finished_at = at.now, next_deadline_at = NULL, generation = c.generation + 1,
  updated_at = at.now, status_detail = 'The mission was taken back.'
FROM (SELECT date_trunc('milliseconds', COALESCE($3::timestamptz, now())) AS now) AS at
WHERE c.workspace_id = $1::uuid AND c.id = ANY($2::uuid[]) AND c.status = 'queued'
RETURNING ${selectList("c", TABLES.agentCommand)}`;

/**
 * Takes missions back from robots that have not begun them: a start that is still queued is withdrawn; a
 * robot that may have it already is told to cancel.
 *
 * @returns the commands that tell them, by their robots' ids, and what the transaction is to append.
 */
export async function recallStarts(
  tx: Transaction,
  missions: readonly Mission[],
): ReturnType<typeof insertMissionCommands> {
  const { workspaceId, now } = tx.ctx;
  const starts = missions.flatMap(({ startCommandId }) => startCommandId ?? []);
  if (starts.length === 0) return { commands: new Map(), appended: { events: [], totals: [] } };
  const withdrawn = await tx.db.$queryRawUnsafe<AgentCommand[]>(WITHDRAW, workspaceId, starts, now);
  const ids = new Set(withdrawn.map(({ id }) => id));
  const orders = missions.flatMap(({ id, robotId, startCommandId }) =>
    robotId === null || startCommandId === null || ids.has(startCommandId)
      ? []
      : [{ robotId, missionId: id }],
  );
  const told = await insertMissionCommands(tx, { type: "mission.cancel", priority: "urgent", orders });
  const ends: CommandsAppended = {
    events: withdrawn.map((command) => commandEvent("agent_command.finished", command)),
    totals: withdrawn.map(({ status }) => ({ collection: "agent_commands", from: "queued", to: status })),
  };
  return { commands: told.commands, appended: joined(ends, told.appended) };
}
