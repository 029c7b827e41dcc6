import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { AgentCommand } from "../../db/generated/client.ts";
import { CommandPriority } from "../../db/generated/enums.ts";
import type { Ctx, Transaction } from "../context.ts";
import { invalid } from "../errors.ts";
import { type AuditInput, append } from "../events.ts";
import { requireScope } from "../guard.ts";
import { claimIdempotencyKey } from "../idempotency.ts";
import { jsonObject, parseInput, uuid, wholeNumber } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { checkParams } from "./check-params.ts";
import { commandType } from "./command-types.ts";
import { insertAgentCommands } from "./insert-agent-command.ts";
import { selectAgents, target } from "./select-agents.ts";

const shape = target.safeExtend({
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

/** Commands that were issued together, one to each agent. */
export type IssuedCommands = { batchId: string; commands: AgentCommand[] };

/**
 * Issues a command to one agent, or the same to every agent of a kind or with some labels, 500 at most.
 *
 * @returns the commands in the order of their agents' ids; with an Idempotency-Key seen before, those that
 *   it made then, as they are by now.
 * @throws {DomainError} insufficient_scope without `agent_commands:write`; validation_failed, for params
 *   that an agent's declared schema does not allow too; idempotency errors.
 */
export async function issueAgentCommands(ctx: Ctx, input: z.input<typeof shape>): Promise<IssuedCommands> {
  requireScope(ctx, "agent_commands:write");
  const { agentId, selector, ...order } = parseInput(shape, input);
  const batchId = uuidv7();
  return ctx.transaction(async (tx) => {
    const made = await claimIdempotencyKey(tx, batchId);
    if (made !== null) return { batchId: made, commands: await commandsOf(tx, made) };
    const agents = await selectAgents(tx, { agentId, selector });
    checkParams(agents, order.type, order.params);
    await requireReferences(tx, order);
    const agentIds = agents.map(({ id }) => id);
    const references = {
      notBefore: order.notBefore ?? null,
      taskId: order.taskId ?? null,
      missionId: order.missionId ?? null,
    };
    const { commands, appended } = await insertAgentCommands(tx, {
      ...order,
      ...references,
      agentIds,
      batchId,
    });
    const audit = ctx.actor.type === "agent" ? [] : [issuedAct({ batchId, commands })];
    await append(tx, { ...appended, audit });
    return { batchId, commands };
  });
}

async function commandsOf({ db }: Transaction, batchId: string): Promise<AgentCommand[]> {
  return db.agentCommand.findMany({ where: { batchId }, orderBy: { agentId: "asc" } });
}

async function requireReferences(
  { db, ctx: { workspaceId } }: Transaction,
  { taskId, missionId }: { taskId?: string | null | undefined; missionId?: string | null | undefined },
): Promise<void> {
  const select = { id: true } as const;
  if (taskId) {
    const task = await db.task.findUnique({ where: { workspaceId_id: { workspaceId, id: taskId } }, select });
    if (task === null) throw invalid("taskId", "is not a task of this workspace");
  }
  if (missionId) {
    const where = { workspaceId_id: { workspaceId, id: missionId } };
    const mission = await db.mission.findUnique({ where, select });
    if (mission === null) throw invalid("missionId", "is not a mission of this workspace");
  }
}

/** One act, however many agents it is for. */
function issuedAct({ batchId, commands }: IssuedCommands): AuditInput {
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
