import { z } from "zod";
import type { Mission } from "../../db/generated/client.ts";
import { MissionStepStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import { append } from "../events.ts";
import { requireScope } from "../guard.ts";
import { handle, jsonProblem, parseInput, uuid } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { requireGeneration, withMission } from "./lock-mission.ts";
import { moveMissions } from "./move-missions.ts";
import { progressMove } from "./progress-move.ts";
import { changedSteps } from "./changed-steps.ts";
import { writeSteps } from "./write-steps.ts";

const json = z.unknown().superRefine((value, context) => {
  const problem = jsonProblem(value, LIMITS.metadataBytes);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const reportedStep = z.object({
  key: handle,
  status: z.enum(MissionStepStatus),
  result: json.optional(),
  error: json.optional(),
});

const shape = z
  .object({
    id: uuid,
    steps: z
      .array(reportedStep)
      .max(LIMITS.missionSteps.max, `must have at most ${LIMITS.missionSteps.max} entries`)
      .refine((steps) => new Set(steps.map(({ key }) => key)).size === steps.length, "must name a step once")
      .default([]),
    status: z.enum(["running", "paused", "completed", "failed", "canceled"]).nullish(),
    ifGeneration: z.array(z.int()).nullish(),
  })
  .refine(({ steps, status }) => steps.length > 0 || Boolean(status), {
    path: ["steps"],
    message: "must have an entry where status is left out",
  });

/** What a robot tells of its mission. */
export type MissionReport = Omit<z.output<typeof shape>, "id" | "ifGeneration">;

/** How a robot tells of one step. */
export type ReportedStep = z.output<typeof reportedStep>;

/**
 * Takes what a robot tells of the mission that is assigned to it: how its steps stand, and itself where it
 * was paused or resumed at the robot, failed as a whole, or was canceled as it was asked to. The first report
 * of an assigned mission starts it; it completes with the last of its steps. The same report again changes
 * nothing.
 *
 * @throws {DomainError} insufficient_scope without `missions:report`; forbidden for anybody but the robot
 *   that it is assigned to; not_found; validation_failed; invalid_state; precondition_failed.
 */
export async function reportMissionProgress(ctx: Ctx, input: z.input<typeof shape>): Promise<Mission> {
  requireScope(ctx, "missions:report");
  const { id, ifGeneration, ...report } = parseInput(shape, input);
  return withMission(ctx, id, async (tx, locked) => {
    requireAssigned(ctx, locked.mission);
    const changed = changedSteps(locked, report.steps);
    const move = progressMove(locked, report, changed);
    if (move === null) return locked.mission;
    requireGeneration(locked.mission, ifGeneration);
    await writeSteps(tx, id, changed);
    const { missions, appended } = await moveMissions(tx, locked.now, [move]);
    await append(tx, appended);
    return missions[0] ?? locked.mission;
  });
}

function requireAssigned({ actor }: Ctx, { robotId }: Mission): void {
  if (actor.type !== "agent" || actor.id === robotId) return;
  throw new DomainError("forbidden", "Only the robot that the mission is assigned to can report on it.");
}
