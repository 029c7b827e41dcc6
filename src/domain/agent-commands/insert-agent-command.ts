import { NOW, sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { CommandPriority } from "../../db/generated/enums.ts";
import type { NamedDecisions } from "../gateway-checks/decide-order.ts";
import { type ActorRecord, createActorRecord } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { LIMITS } from "../kernel/limits.ts";
import { commandEvent } from "./command-event.ts";
import { CONTROL_COMMANDS } from "./command-types.ts";

/** Commands to insert: the same for each agent. */
export type NewAgentCommands = {
  agentIds: readonly string[];
  type: string;
  params?: object;
  /** Default: normal. Commands that pause, stop or resume an agent are always urgent. */
  priority?: CommandPriority;
  /** Default: an hour. */
  expiresInSeconds?: number;
  /** Not delivered before this time. */
  notBefore?: Date | null;
  ackTimeoutSeconds?: number;
  runTimeoutSeconds?: number;
  batchId?: string | null;
  taskId?: string | null;
  missionId?: string | null;
  /** Default: the caller. */
  issuedBy?: ActorRecord;
  /** Default: the caller's. */
  traceparent?: string | null;
  /** What policies decided, by agent id. With an approval, the command waits for it. */
  decisions?: NamedDecisions;
};

/** What a transaction that inserts commands must append. */
export type CommandsAppendContent = Required<Pick<AppendContent, "events" | "totals">>;

/** The inserted commands, and what their transaction must append. */
export type InsertedCommands = { commands: AgentCommand[]; appended: CommandsAppendContent };

/**
 * Inserts one command per agent. Locks the agents' rows until the commit, so that their commands are
 * numbered without gaps.
 *
 * @returns the commands ordered by agent id, and what the transaction must append.
 */
export async function insertAgentCommands(
  tx: Transaction,
  input: NewAgentCommands,
): Promise<InsertedCommands> {
  const agentIds = [...new Set(input.agentIds)].toSorted();
  // In a statement of its own, so that the next one sees the latest numbers.
  if (agentIds.length > 0) await lockAgents(tx, agentIds);
  return insertForLockedAgents(tx, { ...input, agentIds });
}

/** Locks agents' rows until the transaction ends, so that nobody else numbers their commands. */
export async function lockAgents({ run, ctx }: Transaction, agentIds: readonly string[]): Promise<void> {
  await run(LOCK_AGENTS, [ctx.workspaceId, agentIds]);
}

/** {@link insertAgentCommands} for distinct agents whose rows are already locked. */
export async function insertForLockedAgents(
  tx: Transaction,
  input: NewAgentCommands,
): Promise<InsertedCommands> {
  const { ctx } = tx;
  const { agentIds, type, expiresInSeconds } = input;
  const decisions = agentIds.map((id) => input.decisions?.get(id));
  if (agentIds.length === 0) return { commands: [], appended: { events: [], totals: [] } };
  const commands = await tx.run(INSERT, [
    ctx.workspaceId,
    agentIds,
    agentIds.map(() => uuidv7()),
    type,
    JSON.stringify(input.params ?? {}),
    CONTROL_COMMANDS.has(type) ? "urgent" : (input.priority ?? "normal"),
    expiresInSeconds ?? LIMITS.commandExpirySeconds.default,
    input.notBefore ?? null,
    input.ackTimeoutSeconds ?? LIMITS.ackTimeoutSeconds.default,
    input.runTimeoutSeconds ?? LIMITS.runTimeoutSeconds.default,
    input.batchId ?? null,
    input.taskId ?? null,
    input.missionId ?? null,
    JSON.stringify(input.issuedBy ?? createActorRecord(ctx.actor)),
    input.traceparent ?? ctx.traceparent,
    decisions.map((decision) => decision?.decisionId ?? null),
    decisions.map((decision) => decision?.approvalId ?? null),
  ]);
  const sorted = commands.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
  return {
    commands: sorted,
    appended: {
      events: sorted.map((command) => commandEvent("agent_command.created", command)),
      totals: sorted.map(({ status }) => ({ collection: "agent_commands" as const, to: status })),
    },
  };
}

const LOCK_AGENTS = sql`SELECT FROM agent WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`;

const INSERT = sql<AgentCommand>`
INSERT INTO agent_command AS c (
  workspace_id, agent_id, id, seq, type, params, priority, expires_at, next_deadline_at, not_before,
  ack_timeout_seconds, run_timeout_seconds, batch_id, task_id, mission_id, issued_by, traceparent, created_at, updated_at,
  decision_id, approval_id, status)
SELECT $1::uuid, n.agent_id, n.id,
  1 + COALESCE((SELECT max(seq) FROM agent_command WHERE workspace_id = $1::uuid AND agent_id = n.agent_id), 0),
  $4, $5::jsonb, $6::command_priority, at.now + make_interval(secs => $7::int),
  CASE WHEN n.approval_id IS NULL THEN at.now + make_interval(secs => $7::int) END,
  $8::timestamptz, $9::int, $10::int, $11::uuid, $12::uuid, $13::uuid, $14::jsonb, $15, at.now, at.now,
  n.decision_id, n.approval_id, CASE WHEN n.approval_id IS NULL THEN 'queued' ELSE 'awaiting_approval' END::agent_command_status
FROM unnest($2::uuid[], $3::uuid[], $16::uuid[], $17::uuid[]) AS n(agent_id, id, decision_id, approval_id),
  (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
RETURNING ${selectList("c", TABLES.agentCommand)}`;
