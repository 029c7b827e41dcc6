import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { OrderAnswer } from "../approvals/order-answer.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { commandEvent } from "./command-event.ts";

/**
 * Queues the commands that people approved, behind those that their agents have already, and ends the others.
 *
 * @returns what the transaction must append.
 */
export async function followCommands(
  { run, ctx }: Transaction,
  answers: readonly OrderAnswer[],
): Promise<AppendContent> {
  if (answers.length === 0) return { events: [] };
  const rows = answers.map(({ id, outcome, args, error }) => ({
    id,
    params: args,
    error,
    status: outcome === "approved" ? "queued" : outcome,
  }));
  const commands = await run(FOLLOW, [ctx.workspaceId, JSON.stringify(rows)]);
  return {
    events: commands.map((command) =>
      commandEvent(command.status === "queued" ? "agent_command.updated" : "agent_command.finished", command),
    ),
    totals: commands.map(({ status }) => ({
      collection: "agent_commands" as const,
      from: "awaiting_approval",
      to: status,
    })),
  };
}

/** In the queue, an approved command comes behind those that were issued while it waited. */
const FOLLOW = sql<AgentCommand>`
UPDATE agent_command c SET
  status = answer.status, error = answer.error, params = COALESCE(answer.params, c.params),
  seq = CASE WHEN answer.status = 'queued' THEN (
    SELECT max(seq) + 1 FROM agent_command WHERE workspace_id = $1::uuid AND agent_id = c.agent_id) ELSE c.seq END,
  next_deadline_at = CASE WHEN answer.status = 'queued' THEN c.expires_at END,
  finished_at = CASE WHEN answer.status <> 'queued' THEN at.now END,
  generation = c.generation + 1, updated_at = at.now
FROM jsonb_to_recordset($2::jsonb) AS answer(id uuid, status agent_command_status, params jsonb, error jsonb),
  (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE c.workspace_id = $1::uuid AND c.id = answer.id AND c.status = 'awaiting_approval'
RETURNING ${selectList("c", TABLES.agentCommand)}`;
