import type { Mission, MissionStep } from "../../db/generated/client.ts";
import type { Random } from "../random.ts";
import { STATIONS } from "../roster/stations.ts";
import { pickMomentBetween } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import type { PlannedMission, PlannedStep } from "./mission-plans.ts";

const STEP_FAILURES = [
  { type: "path.blocked", level: "urgent", detail: "No way around the obstacle was found for 120 s." },
  { type: "load.not_found", level: "critical", detail: "No load was seen at the pick-up place." },
  { type: "localization.lost", level: "fatal", detail: "The robot lost its place on the map." },
  { type: "lift.overload", level: "critical", detail: "The load weighs more than the lift may carry." },
] as const;

/** Builds the steps of a mission, up to its progress. */
export function buildSteps(scenario: {
  world: DemoWorld;
  random: Random;
  status: Mission["status"];
  plan: PlannedMission;
  startedAt: Date | null;
  finishedAt: Date | null;
  missionId: string;
}): MissionStep[] {
  const { world, random, status, plan, startedAt, missionId } = scenario;
  const count = plan.steps.length;
  const done = doneSteps(random, status, count);
  const until = scenario.finishedAt ?? world.end;
  const failure = random.pick(STEP_FAILURES);
  return plan.steps.map((step, index) => {
    const stepStatus = getStepStatus(status, index, done);
    const began = startedAt !== null && stepStatus !== "waiting" && stepStatus !== "skipped";
    const ended = stepStatus === "finished" || stepStatus === "failed";
    // The current or failed step is the last one with a duration.
    const parts = status === "completed" ? count : done + 1;
    function at(place: number): Date | null {
      return startedAt === null ? null : pickMomentBetween(startedAt, until, place / parts);
    }
    return {
      workspaceId: world.workspaceId,
      missionId,
      seq: index + 1,
      key: step.key,
      type: step.type,
      params: buildParams(step),
      status: stepStatus,
      result: stepStatus === "finished" ? buildResult(step, random) : null,
      error: stepStatus === "failed" ? { ...failure } : null,
      startedAt: began ? at(index) : null,
      finishedAt: ended ? at(index + 1) : null,
      beforeSteering: null,
    };
  });
}

/** Returns the error of a mission's failed step. */
export function findMissionError(steps: readonly MissionStep[]): object | null {
  const failed = steps.find(({ status }) => status === "failed");
  if (failed === undefined || typeof failed.error !== "object") return null;
  return Object.assign({}, failed.error, { step_key: failed.key });
}

/** Chooses how many steps are finished. */
function doneSteps(random: Random, status: Mission["status"], count: number): number {
  switch (status) {
    case "completed":
      return count;
    case "running":
    case "paused":
      return random.whole(1, count - 1);
    case "failed":
    case "canceled":
      return random.whole(0, count - 1);
    case "awaiting_approval":
    case "pending":
    case "assigned":
    case "expired":
      return 0;
  }
}

function getStepStatus(mission: Mission["status"], index: number, done: number): MissionStep["status"] {
  if (mission === "pending" || mission === "assigned" || mission === "expired") return "waiting";
  if (index < done) return "finished";
  if (mission === "canceled") return "skipped";
  if (index > done) return "waiting";
  if (mission === "failed") return "failed";
  return mission === "paused" ? "paused" : "running";
}

function buildParams({ type, station, action }: PlannedStep): object {
  const { x, y, theta } = STATIONS[station];
  if (type === "move") return { station, x, y, theta, map_id: "hall-a-r12" };
  return type === "wait" ? { for: "upload" } : { action: action ?? "none", station };
}

function buildResult({ type, action }: PlannedStep, random: Random): object {
  if (type === "move") return { distance_m: Number(random.between(6, 78).toFixed(1)) };
  if (action === "scan_shelf") return { images: random.whole(12, 60), differences: random.whole(0, 3) };
  return { ok: true };
}
