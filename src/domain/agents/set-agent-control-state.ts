import { z } from "zod";
import type { Agent } from "../../db/generated/client.ts";
import { ControlState } from "../../db/generated/enums.ts";
import { insertAgentCommands } from "../agent-commands/insert-agent-command.ts";
import type { NamedDecisions } from "../gateway-checks/decide-order.ts";
import { requireAllowed } from "../gateway-checks/require-allowed.ts";
import { type NoteDecisions, withOrderLog } from "../gateway-checks/with-order-log.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { cancelApprovalsOfAgents } from "../approvals/cancel-pending-approvals.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { holdStops, isStoppedIn } from "../stops/is-stopped.ts";
import { requestHeldTasksCancel } from "../tasks/request-held-tasks-cancel.ts";
import { changeAgent, lockAgent } from "./change-agent.ts";

const shape = z.object({
  id: uuid,
  controlState: z.enum(ControlState),
  reason: text(LIMITS.textLength).nullish(),
});

/** The command for each new state. */
const COMMANDS = { active: "agent.resume", paused: "agent.pause", stopped: "agent.stop" } as const;

/**
 * Pauses, stops or resumes an agent. Takes effect immediately: the agent can claim nothing more, and the
 * cancellation of a stopped agent's tasks is requested. The agent is sent a command. During an emergency
 * stop the agent stays stopped and is sent nothing less; after the release it is told to resume if it is
 * active. Policies decide about a resumption, as about the command.
 *
 * @throws {DomainError} forbidden below operator, and for agents; not_found, also if it is archived;
 *   validation_failed; policy_denied, and approval_required if policies ask, because it can't wait.
 */
export async function setAgentControlState(ctx: Ctx, input: z.input<typeof shape>): Promise<Agent> {
  requireRole(ctx, "operator");
  const { id, controlState, reason = null } = parseInput(shape, input);
  const urgency = controlState === "stopped" ? "urgent" : "usual";
  const params = reason === null ? {} : { reason };
  async function change(tx: Transaction, note: NoteDecisions): Promise<Agent> {
    const generation = controlState === "active" ? await holdStops(tx) : null;
    const before = await lockAgent(tx, id);
    if (before.controlState === controlState) return before;
    const order = { action: COMMANDS[controlState], args: params, agentIds: [id], context: {} };
    const decisions = generation === null ? null : await requireAllowed(tx, order, { generation, note });
    const { agent, appended } = await changeAgent(tx, before, {
      data: { controlState },
      event: "agent.control_state_changed",
      eventData: { control_state: controlState },
      audit: {
        action: "agent.control_state_changed",
        changes: { control_state: { from: before.controlState, to: controlState }, reason },
      },
    });
    const carried = await carryOut(tx, agent, { params, ...(decisions && { decisions }) });
    append(tx, {
      events: [...appended.events, ...carried.events],
      totals: [...appended.totals, ...carried.totals],
      audit: appended.audit,
      isUrgent: controlState === "stopped",
    });
    return agent;
  }
  return withOrderLog(ctx, (note) => ctx.transaction((tx) => change(tx, note), urgency));
}

async function carryOut(
  tx: Transaction,
  { id, controlState }: Agent,
  command: { params: object; decisions?: NamedDecisions },
): Promise<Required<Pick<AppendContent, "events" | "totals">>> {
  // Its row is locked, so a stop that is not visible here sends its command afterwards.
  if (controlState !== "stopped" && (await isStoppedIn(tx, id))) return { events: [], totals: [] };
  const ended = controlState === "stopped" ? await endWork(tx, id) : { events: [], totals: [] };
  const { appended } = await insertAgentCommands(tx, {
    agentIds: [id],
    type: COMMANDS[controlState],
    priority: "urgent",
    ...command,
  });
  return mergeAppends(ended, appended);
}

async function endWork(tx: Transaction, id: string): Promise<AppendContent> {
  return mergeAppends(await cancelApprovalsOfAgents(tx, [id]), await requestHeldTasksCancel(tx, [id]));
}
