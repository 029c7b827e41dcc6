import type { z } from "zod";
import type { Mission } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { requireMissionGeneration, withMission } from "./lock-mission.ts";
import { missionReport } from "./mission-report.ts";
import { moveMissions } from "./move-missions.ts";
import { findProgressMove } from "./find-progress-move.ts";
import { getChangedSteps } from "./get-changed-steps.ts";
import { writeSteps } from "./write-steps.ts";

/**
 * Records a robot's report on its mission: the status of steps and, optionally, of the mission if it was
 * paused or resumed at the robot, failed as a whole, or was canceled as requested. The first report starts
 * the mission; it completes with its last step. Repeating a report changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `missions:report`; forbidden unless the caller is the
 *   assigned robot; not_found; validation_failed; invalid_state; precondition_failed.
 */
export async function reportMissionProgress(
  ctx: Ctx,
  input: z.input<typeof missionReport>,
): Promise<Mission> {
  requireScope(ctx, "missions:report");
  const { id, ifGeneration, ...report } = parseInput(missionReport, input);
  return withMission(ctx, id, async (tx, locked) => {
    requireAssigned(ctx, locked.mission);
    const changed = getChangedSteps(locked, report.steps);
    const move = findProgressMove(locked, report, changed);
    if (move === null) return locked.mission;
    requireMissionGeneration(locked.mission, ifGeneration);
    await writeSteps(tx, id, changed);
    const { missions, appended } = await moveMissions(tx, locked.now, [move]);
    append(tx, appended);
    return missions[0] ?? locked.mission;
  });
}

function requireAssigned({ actor }: Ctx, { robotId }: Mission): void {
  if (actor.type !== "agent" || actor.id === robotId) return;
  throw new DomainError("forbidden", "Only the robot that the mission is assigned to can report on it.");
}
