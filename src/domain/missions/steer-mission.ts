import { z } from "zod";
import type { AgentCommand, Mission, MissionStep } from "../../db/generated/client.ts";
import { isDeEscalating } from "../agent-commands/command-types.ts";
import type { NamedDecisions, Order } from "../gateway-checks/decide-order.ts";
import { requireAllowed } from "../gateway-checks/require-allowed.ts";
import { withOrderLog } from "../gateway-checks/with-order-log.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { text, uuid } from "../kernel/input.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { LIMITS } from "../kernel/limits.ts";
import { holdStops } from "../stops/is-stopped.ts";
import { insertMissionCommands } from "./insert-mission-commands.ts";
import {
  type LockedMission,
  requireMissionGeneration,
  withMission,
  withMissionAfter,
} from "./lock-mission.ts";
import { type MissionMove, moveMissions } from "./move-missions.ts";
import { recallStarts } from "./recall-starts.ts";
import { writeSteps } from "./write-steps.ts";

/** The mission to steer, and the reason. */
export const steering = z.object({
  id: uuid,
  reason: text(LIMITS.textLength).nullish(),
  ifGeneration: z.array(z.int()).nullish(),
});

export type Steering = z.output<typeof steering>;

/** A command to a mission's robot. */
type RobotCommand = { type: `mission.${string}`; params?: object };

/** The rules of a steering action. */
type SteeringOptions = {
  type: RobotCommand["type"];
  /** The step; undefined for the mission itself. */
  stepKey?: string;
  /** Returns null if the mission is already in the requested state. */
  decide: (locked: LockedMission) => Steered | null;
  /** Throws if it is in that state without a request. */
  reject?: (locked: LockedMission) => void;
};

/** The effect of steering: the move, the changed steps, and the robot's instruction. */
export type Steered = {
  move: MissionMove;
  steps?: readonly MissionStep[];
  /** The command to send, or "recall" to take the mission back from a robot that has not started it. */
  instruction: RobotCommand | "recall" | null;
};

/** A mission, and the command that its robot was sent. */
export type SteeredMission = { mission: Mission; command: AgentCommand | null };

/**
 * Steers one mission as `decide` returns, and sends its robot a command. If `decide` returns null, the
 * mission is already in the requested state, and `command` is the earlier one. Policies decide, unless the robot only
 * does less.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; precondition_failed; policy_denied,
 *   and approval_required if policies ask, because it can't wait; the errors of `decide` and `reject`.
 */
export async function steerMission(
  ctx: Ctx,
  call: Steering,
  options: SteeringOptions,
): Promise<SteeredMission> {
  requireScope(ctx, "missions:write");
  if (isDeEscalating(options.type)) {
    return withMission(ctx, call.id, (tx, locked) => steer(tx, locked, { call, options }));
  }
  return withOrderLog(ctx, (note) =>
    withMissionAfter(ctx, { id: call.id, hold: holdStops }, (tx, locked, generation) =>
      steer(tx, locked, { call, options, guard: (order) => requireAllowed(tx, order, { generation, note }) }),
    ),
  );
}

/** `guard` decides about the command to the robot. Without it, anything is allowed. */
type SteeringCall = {
  call: Steering;
  options: SteeringOptions;
  guard?: (order: Order) => Promise<NamedDecisions>;
};

async function steer(
  tx: Transaction,
  locked: LockedMission,
  { call, options: { type, stepKey, decide, reject: refuse }, guard }: SteeringCall,
): Promise<SteeredMission> {
  const { mission } = locked;
  const steered = decide(locked);
  if (steered === null) {
    const command = await findLastCommand(tx, { missionId: call.id, type, stepKey });
    if (command === null) refuse?.(locked);
    return { mission, command };
  }
  requireMissionGeneration(mission, call.ifGeneration);
  const instruction = addReason(steered.instruction, call.reason ?? null);
  const order = toOrder(mission, instruction);
  const decisions = order === null ? undefined : await guard?.(order);
  await writeSteps(tx, call.id, steered.steps ?? []);
  const moved = await moveMissions(tx, locked.now, [steered.move]);
  const sent = await sendInstruction(tx, mission, { instruction, ...(decisions && { decisions }) });
  append(tx, mergeAppends(moved.appended, sent.appended));
  const [command = null] = sent.commands.values();
  return { mission: moved.missions[0] ?? mission, command };
}

type Instruction = Steered["instruction"];

function addReason(instruction: Instruction, reason: string | null): Instruction {
  if (instruction === null || instruction === "recall" || reason === null) return instruction;
  return { ...instruction, params: { ...instruction.params, reason } };
}

/** The command to a mission's robot, as policies see it. Null if it is sent none. */
function toOrder({ id, robotId, taskId }: Mission, instruction: Instruction): Order | null {
  if (instruction === null || instruction === "recall" || robotId === null) return null;
  return {
    action: instruction.type,
    args: { mission_id: id, ...instruction.params },
    agentIds: [robotId],
    context: { mission_id: id, ...(taskId !== null && { task_id: taskId }) },
  };
}

async function sendInstruction(
  tx: Transaction,
  mission: Mission,
  { instruction, decisions }: { instruction: Instruction; decisions?: NamedDecisions },
): ReturnType<typeof insertMissionCommands> {
  if (instruction === "recall") return recallStarts(tx, [mission]);
  const { robotId, id: missionId } = mission;
  if (instruction === null || robotId === null)
    return insertMissionCommands(tx, { type: "mission.cancel", orders: [] });
  const { type, params = {} } = instruction;
  return insertMissionCommands(tx, {
    type,
    priority: "urgent",
    orders: [{ robotId, missionId, params }],
    ...(decisions && { decisions }),
  });
}

async function findLastCommand(
  { db }: Transaction,
  { missionId, type, stepKey }: { missionId: string; type: string; stepKey: string | undefined },
): Promise<AgentCommand | null> {
  const stepFilter = stepKey === undefined ? {} : { params: { path: ["step_key"], equals: stepKey } };
  return db.agentCommand.findFirst({
    where: { missionId, type, ...stepFilter },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}
