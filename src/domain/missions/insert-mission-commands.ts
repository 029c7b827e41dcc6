import { sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import { commandEvent } from "../agent-commands/command-event.ts";
import {
  type CommandsAppendContent,
  type NewAgentCommands,
  insertAgentCommands,
} from "../agent-commands/insert-agent-command.ts";
import type { Transaction } from "../kernel/context.ts";

/** A command about a mission, for one robot. */
export type MissionOrder = { robotId: string; missionId: string; params?: object };

/** Commands of one type about several missions, one per robot. */
export type NewMissionCommands = Pick<
  NewAgentCommands,
  "priority" | "expiresInSeconds" | "ackTimeoutSeconds" | "runTimeoutSeconds" | "decisions"
> & { type: `mission.${string}`; orders: readonly MissionOrder[] };

/** Commands are not visible before the commit, so their differences can be written afterwards. */
const COMPLETE = sql<AgentCommand>`
UPDATE agent_command c SET mission_id = o."missionId", params = o.params
FROM jsonb_to_recordset($2::jsonb) AS o(id uuid, "missionId" uuid, params jsonb)
WHERE c.workspace_id = $1::uuid AND c.id = o.id
RETURNING ${selectList("c", TABLES.agentCommand)}`;

/**
 * Inserts commands for different missions, with a fixed number of statements.
 *
 * @returns the commands by robot id, and what the transaction must append.
 */
export async function insertMissionCommands(
  tx: Transaction,
  { orders, ...common }: NewMissionCommands,
): Promise<{ commands: ReadonlyMap<string, AgentCommand>; appended: CommandsAppendContent }> {
  if (orders.length === 0) return { commands: new Map(), appended: { events: [], totals: [] } };
  const agentIds = orders.map(({ robotId }) => robotId);
  const inserted = await insertAgentCommands(tx, { ...common, agentIds });
  const commandIds = new Map(inserted.commands.map(({ agentId, id }) => [agentId, id]));
  const completed = orders.map(({ robotId, missionId, params = {} }) => ({
    id: commandIds.get(robotId),
    missionId,
    params: { mission_id: missionId, ...params },
  }));
  const commands = await tx.run(COMPLETE, [tx.ctx.workspaceId, JSON.stringify(completed)]);
  return {
    commands: new Map(commands.map((command) => [command.agentId, command])),
    appended: {
      events: commands.map((command) => commandEvent("agent_command.created", command)),
      totals: inserted.appended.totals,
    },
  };
}
