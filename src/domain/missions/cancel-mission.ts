import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { parseInput } from "../kernel/input.ts";
import type { LockedMission } from "./lock-mission.ts";
import { endMission } from "./mission-moves.ts";
import { MISSION_MOVES, requireStatus } from "./mission-states.ts";
import { type Steered, type SteeredMission, steerMission, steering } from "./steer-mission.ts";

const shape = steering.extend({ force: z.boolean().nullish() });

/**
 * Cancels a mission: immediately if its robot has not started it; otherwise the robot is sent a command and
 * has 60 seconds to confirm. `force` cancels immediately in any case; the robot is still sent the command.
 * Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; validation_failed;
 *   invalid_state if the mission finished otherwise; precondition_failed.
 */
export async function cancelMission(ctx: Ctx, input: z.input<typeof shape>): Promise<SteeredMission> {
  const { force, ...call } = parseInput(shape, input);
  const changes = { reason: call.reason ?? null, force: force === true };
  return steerMission(ctx, call, {
    type: "mission.cancel",
    decide: (locked) => decide(locked, changes),
  });
}

function decide(
  { mission, now }: LockedMission,
  changes: { reason: string | null; force: boolean },
): Steered | null {
  const { status, cancelRequestedAt } = mission;
  if (status === "canceled") return null;
  requireStatus(status, MISSION_MOVES.cancel.from);
  const audit = { action: "mission.canceled", changes };
  if (status === "pending" || status === "assigned") {
    return { move: { ...endMission(mission, "cancel", { now }), audit }, instruction: "recall" };
  }
  const instruction = cancelRequestedAt === null ? ({ type: "mission.cancel" } as const) : null;
  if (changes.force) return { move: { ...endMission(mission, "cancel", { now }), audit }, instruction };
  if (cancelRequestedAt !== null) return null;
  return {
    move: {
      mission,
      change: { cancelRequestedAt: now },
      event: "mission.updated",
      eventData: { cancel_requested: true },
      audit: { action: "mission.cancel_requested", changes },
    },
    instruction,
  };
}
