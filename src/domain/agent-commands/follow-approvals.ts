import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand, Approval } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { commandEvent } from "./command-event.ts";

/**
 * Does what people said with the commands that wait for it: an approved one is queued, with the arguments that an
 * approver put in place, behind those that its agent has already; any other ends. The approvals are locked before,
 * and for one that is approved the agent too.
 *
 * @param comment why it was denied.
 * @returns what the transaction must append.
 */
export async function followApprovals(
  { run, ctx }: Transaction,
  approvals: readonly Approval[],
  comment: string | null = null,
): Promise<Required<Pick<AppendContent, "events" | "totals">>> {
  const answers = approvals.flatMap((approval) => toAnswer(approval, comment));
  const commands = answers.length === 0 ? [] : await run(FOLLOW, [ctx.workspaceId, JSON.stringify(answers)]);
  return {
    events: commands.map((command) =>
      commandEvent(command.status === "queued" ? "agent_command.updated" : "agent_command.finished", command),
    ),
    totals: commands.map(({ status }) => ({
      ...{ collection: "agent_commands" as const, from: "awaiting_approval", to: status },
    })),
  };
}

type CommandAnswer = {
  id: string;
  status: Extract<AgentCommand["status"], "queued" | "expired" | "canceled">;
  params: unknown;
  error: { code: string; message: string } | null;
};

function toAnswer(
  { commandId, status, editedArguments }: Approval,
  comment: string | null,
): CommandAnswer | [] {
  if (commandId === null) return [];
  const ended = { id: commandId, params: null };
  switch (status) {
    case "pending":
      return [];
    case "approved":
      return { id: commandId, status: "queued", params: editedArguments, error: null };
    case "denied":
      return { ...ended, status: "canceled", error: { code: "approval_denied", message: comment ?? DENIED } };
    case "expired":
      return { ...ended, status: "expired", error: { code: "approval_expired", message: EXPIRED } };
    case "cancelled":
      return { ...ended, status: "canceled", error: { code: "approval_cancelled", message: CANCELLED } };
  }
}

const DENIED = "A person denied it.";
const EXPIRED = "Nobody approved it in time.";
const CANCELLED = "The question to people was cancelled.";

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
