import { sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { TABLES, cutBySize, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import { CommandPriority } from "../../db/generated/enums.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { type AuditInput, append } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { askAboutOrder, requireNotDenied } from "../gateway-checks/ask-about-order.ts";
import { type OrderDecision, decideOrder, nameDecisions } from "../gateway-checks/decide-order.ts";
import { withOrderLog } from "../gateway-checks/with-order-log.ts";
import { requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { jsonObject, parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { findParent, formatParent } from "../tasks/find-parent.ts";
import { holdStops, requireNoStop } from "../stops/is-stopped.ts";
import { findParamsError } from "./find-params-error.ts";
import { placeCommand } from "./command-span.ts";
import { commandType, isDeEscalating } from "./command-types.ts";
import { insertForLockedAgents } from "./insert-agent-command.ts";
import { selectAgents, commandRecipients } from "./select-agents.ts";

const shape = commandRecipients.safeExtend({
  type: commandType,
  params: jsonObject(LIMITS.commandParamsBytes).default({}),
  priority: z.enum(CommandPriority).default("normal"),
  expiresInSeconds: wholeNumber(LIMITS.commandExpirySeconds).default(LIMITS.commandExpirySeconds.default),
  notBefore: z.date().nullish(),
  ackTimeoutSeconds: wholeNumber(LIMITS.ackTimeoutSeconds).default(LIMITS.ackTimeoutSeconds.default),
  runTimeoutSeconds: wholeNumber(LIMITS.runTimeoutSeconds).default(LIMITS.runTimeoutSeconds.default),
  taskId: uuid.nullish(),
  missionId: uuid.nullish(),
});

/** `isCut`: some commands are left out. */
export type IssuedCommands = { batchId: string; commands: AgentCommand[]; isCut: boolean };

/**
 * Issues a command to one agent, or to each agent of a kind or with some labels, at most 500. Policies decide about
 * each agent, unless the command only makes agents do less: if they deny one, none is sent it; where they ask, the
 * command waits for people.
 *
 * @returns the commands ordered by agent id; for a repeated Idempotency-Key, the current state of those
 *   that it created, or of the first ones if their results make them too large.
 * @throws {DomainError} insufficient_scope without `agent_commands:write`; validation_failed, also if an
 *   agent's schema does not allow the params; emergency_stop if a stop covers an agent, unless the command only makes
 *   agents do less; policy_denied; rate_limited if people have too many questions to answer; unavailable if schemas
 *   can't be checked at the moment; idempotency errors.
 */
export async function issueAgentCommands(ctx: Ctx, input: z.input<typeof shape>): Promise<IssuedCommands> {
  requireScope(ctx, "agent_commands:write");
  const { agentId, selector, ...order } = parseInput(shape, input);
  const meant = { agentId, selector };
  const batchId = uuidv7();
  // Outside the transaction, so that no agent is locked during the check.
  const paramsError = await findParamsError(ctx, meant, order);
  return withOrderLog(ctx, (note) =>
    ctx.transaction(async (tx) => {
      const made = await claimIdempotencyKey(tx, batchId);
      if (made !== null) return readIssuedCommands(tx, made);
      if (paramsError !== null) throw paramsError;
      const generation = await holdStops(tx);
      const agentIds = await selectAgents(tx, meant);
      if (!isDeEscalating(order.type)) await requireNoStop(tx, agentIds);
      requireBatchSize(order.params, agentIds.length);
      await requireReferences(tx, order);
      const decisions = await decide(tx, { ...order, agentIds }, generation);
      note(decisions.map(({ row }) => row));
      requireNotDenied(tx, decisions);
      const commands = await insert(tx, { ...order, agentIds, batchId }, decisions);
      return { batchId, commands, isCut: false };
    }),
  );
}

type NewOrder = Omit<z.output<typeof shape>, "agentId" | "selector"> & { agentIds: string[] };

/** @returns nothing where no policy is for it. What only makes agents do less, policies are not asked about. */
async function decide(
  tx: Transaction,
  { type, params, agentIds, taskId, missionId }: NewOrder,
  generation: number,
): Promise<OrderDecision[]> {
  if (isDeEscalating(type)) return [];
  const context = { ...(taskId && { task_id: taskId }), ...(missionId && { mission_id: missionId }) };
  const order = { action: type, args: params, agentIds, context, isAskedForEach: true };
  return (await decideOrder(tx, order, generation)) ?? [];
}

async function insert(
  tx: Transaction,
  { notBefore = null, taskId = null, missionId = null, ...order }: NewOrder & { batchId: string },
  decisions: readonly OrderDecision[],
): Promise<AgentCommand[]> {
  const { commands, appended } = await insertForLockedAgents(tx, {
    ...order,
    notBefore,
    taskId,
    missionId,
    traceparent: formatParent(await findParent(tx, taskId)),
    decisions: nameDecisions(decisions),
  });
  const waiting = commands.map(
    ({ agentId, expiresAt, ...command }) =>
      [agentId, { commandId: command.id, expiresAt, parent: placeCommand(command) }] as const,
  );
  const asked = await askAboutOrder(tx, decisions, new Map(waiting));
  const audit = tx.ctx.actor.type === "agent" ? [] : [buildIssuedAudit({ batchId: order.batchId, commands })];
  append(tx, { ...mergeAppends(appended, asked), audit });
  return commands;
}

/** Each command stores and returns the params. */
function requireBatchSize(params: object, count: number): void {
  const most = Math.floor(LIMITS.commandBatchBytes / count);
  if (Buffer.byteLength(JSON.stringify(params)) <= most) return;
  throw createFieldError("params", `must have at most ${most} bytes as JSON for ${count} agents`);
}

async function readIssuedCommands({ run, ctx }: Transaction, batchId: string): Promise<IssuedCommands> {
  const rows = await run(ISSUED, [ctx.workspaceId, batchId]);
  const commands = rows.map(({ $found: _found, ...command }) => command);
  return { batchId, commands, isCut: commands.length < Number(rows[0]?.$found ?? 0) };
}

const BATCH = `SELECT * FROM agent_command WHERE workspace_id = $1::uuid AND batch_id = $2::uuid`;

const ISSUED = sql<AgentCommand & { $found: bigint }>`
SELECT ${selectList("c", TABLES.agentCommand)}, c.found AS "$found"
FROM (${cutBySize(TABLES.agentCommand, { query: BATCH, order: "q.agent_id" })}) c ORDER BY c.agent_id`;

type References = { taskId?: string | null | undefined; missionId?: string | null | undefined };

async function requireReferences(
  { run, ctx }: Transaction,
  { taskId, missionId }: References,
): Promise<void> {
  if (!taskId && !missionId) return;
  const [found] = await run(REFERENCES, [...[ctx.workspaceId, taskId ?? null, missionId ?? null]]);
  if (taskId && found?.task !== true) throw createFieldError("taskId", "is not a task of this workspace");
  if (missionId && found?.mission !== true)
    throw createFieldError("missionId", "is not a mission of this workspace");
}

/** Locks the task and mission, so that they are not deleted before the commands exist. */
const REFERENCES = sql<{ task: boolean; mission: boolean }>`
SELECT EXISTS (SELECT 1 FROM task WHERE workspace_id = $1::uuid AND id = $2::uuid) AS task,
       EXISTS (SELECT 1 FROM mission WHERE workspace_id = $1::uuid AND id = $3::uuid FOR KEY SHARE) AS mission`;

/** One audit event for all agents. */
function buildIssuedAudit({ batchId, commands }: Omit<IssuedCommands, "isCut">): AuditInput {
  const [first] = commands;
  const changes = { type: first?.type, priority: first?.priority, agents: commands.length };
  if (first === undefined || commands.length > 1) {
    return { action: "agent_command.issued", targetType: "agent_command_batch", targetId: batchId, changes };
  }
  return {
    action: "agent_command.issued",
    targetType: "agent_command",
    targetId: first.id,
    changes: { ...changes, agent_id: first.agentId, batch_id: batchId },
  };
}
