import { z } from "zod";
import type { AgentCommand, Mission, MissionStep } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../context.ts";
import { append } from "../events.ts";
import { requireScope } from "../guard.ts";
import { text, uuid } from "../input.ts";
import { joined } from "../joined.ts";
import { LIMITS } from "../limits.ts";
import { insertMissionCommands } from "./insert-mission-commands.ts";
import { type LockedMission, requireGeneration, withMission } from "./lock-mission.ts";
import { type MissionMove, moveMissions } from "./move-missions.ts";
import { recallStarts } from "./recall-starts.ts";
import { writeSteps } from "./write-steps.ts";

/** Which mission is steered, and why. */
export const steering = z.object({
  id: uuid,
  reason: text(LIMITS.textLength).nullish(),
  ifGeneration: z.array(z.int()).nullish(),
});

/** A call that steers a mission. */
export type Steering = z.output<typeof steering>;

/** A command by which a mission's robot is told what it is to do. */
type Told = { type: `mission.${string}`; params?: object };

/** How a mission is steered. */
type Way = {
  type: Told["type"];
  /** The step that it is about; absent where it is about the mission. */
  stepKey?: string;
  /** Null where all is as it was asked for already. */
  decide: (locked: LockedMission) => Steered | null;
  /** Throws where all is so without anybody's having asked for it. */
  refuse?: (locked: LockedMission) => void;
};

/** What steering does: the move, the steps that it changes, and how the robot is told. */
export type Steered = {
  move: MissionMove;
  steps?: readonly MissionStep[];
  /** The command; or whether the mission is taken back from a robot that has not begun it. */
  tell: Told | "recall" | null;
};

/** A mission, and the command that its robot gets or got for it. */
export type SteeredMission = { mission: Mission; command: AgentCommand | null };

/**
 * Steers one mission as `decide` says, and tells its robot. Where it says null, all is as it was asked for
 * already: `command` is then the one that told so.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; precondition_failed; and
 *   whatever `decide` and `refuse` throw.
 */
export async function steerMission(
  ctx: Ctx,
  call: Steering,
  { type, stepKey, decide, refuse }: Way,
): Promise<SteeredMission> {
  requireScope(ctx, "missions:write");
  return withMission(ctx, call.id, async (tx, locked) => {
    const steered = decide(locked);
    if (steered === null) {
      const command = await lastCommand(tx, { missionId: call.id, type, stepKey });
      if (command === null) refuse?.(locked);
      return { mission: locked.mission, command };
    }
    requireGeneration(locked.mission, call.ifGeneration);
    await writeSteps(tx, call.id, steered.steps ?? []);
    const moved = await moveMissions(tx, locked.now, [steered.move]);
    const told = await tell(tx, locked.mission, { steered, reason: call.reason ?? null });
    await append(tx, joined(moved.appended, told.appended));
    const [command = null] = told.commands.values();
    return { mission: moved.missions[0] ?? locked.mission, command };
  });
}

async function tell(
  tx: Transaction,
  mission: Mission,
  { steered: { tell: told }, reason }: { steered: Steered; reason: string | null },
): ReturnType<typeof insertMissionCommands> {
  if (told === "recall") return recallStarts(tx, [mission]);
  const { robotId, id: missionId } = mission;
  if (told === null || robotId === null)
    return insertMissionCommands(tx, { type: "mission.cancel", orders: [] });
  const params = { ...told.params, ...(reason !== null && { reason }) };
  return insertMissionCommands(tx, {
    type: told.type,
    priority: "urgent",
    orders: [{ robotId, missionId, params }],
  });
}

async function lastCommand(
  { db }: Transaction,
  { missionId, type, stepKey }: { missionId: string; type: string; stepKey: string | undefined },
): Promise<AgentCommand | null> {
  const ofStep = stepKey === undefined ? {} : { params: { path: ["step_key"], equals: stepKey } };
  return db.agentCommand.findFirst({
    where: { missionId, type, ...ofStep },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}
