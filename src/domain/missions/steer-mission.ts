import { z } from "zod";
import type { AgentCommand, Mission, MissionStep } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { text, uuid } from "../kernel/input.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { LIMITS } from "../kernel/limits.ts";
import { insertMissionCommands } from "./insert-mission-commands.ts";
import { type LockedMission, requireMissionGeneration, withMission } from "./lock-mission.ts";
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
 * mission is already in the requested state, and `command` is the earlier one.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; precondition_failed; the
 *   errors of `decide` and `reject`.
 */
export async function steerMission(
  ctx: Ctx,
  call: Steering,
  { type, stepKey, decide, reject: refuse }: SteeringOptions,
): Promise<SteeredMission> {
  requireScope(ctx, "missions:write");
  return withMission(ctx, call.id, async (tx, locked) => {
    const steered = decide(locked);
    if (steered === null) {
      const command = await findLastCommand(tx, { missionId: call.id, type, stepKey });
      if (command === null) refuse?.(locked);
      return { mission: locked.mission, command };
    }
    requireMissionGeneration(locked.mission, call.ifGeneration);
    await writeSteps(tx, call.id, steered.steps ?? []);
    const moved = await moveMissions(tx, locked.now, [steered.move]);
    const sent = await sendInstruction(tx, locked.mission, { steered, reason: call.reason ?? null });
    append(tx, mergeAppends(moved.appended, sent.appended));
    const [command = null] = sent.commands.values();
    return { mission: moved.missions[0] ?? locked.mission, command };
  });
}

async function sendInstruction(
  tx: Transaction,
  mission: Mission,
  { steered: { instruction: command }, reason }: { steered: Steered; reason: string | null },
): ReturnType<typeof insertMissionCommands> {
  if (command === "recall") return recallStarts(tx, [mission]);
  const { robotId, id: missionId } = mission;
  if (command === null || robotId === null)
    return insertMissionCommands(tx, { type: "mission.cancel", orders: [] });
  const params = { ...command.params, ...(reason !== null && { reason }) };
  return insertMissionCommands(tx, {
    type: command.type,
    priority: "urgent",
    orders: [{ robotId, missionId, params }],
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
