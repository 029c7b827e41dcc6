import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MissionStatus } from "../../../src/db/generated/enums.ts";
import { MISSION_MOVES, getStatusAfter } from "../../../src/domain/missions/mission-states.ts";
import { getErrorCode } from "../../support/callers.ts";
import {
  MISSION_MODEL_ACTS,
  type MissionActName,
  missionIn,
  readStoredMission,
  robotAt,
  readStoredRobot,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** The result of an action: the new status, or an error code without any change. */
type Outcome = MissionStatus | "invalid_state" | "forbidden";

/** Reports of a robot that doesn't have the mission. */
function rejectReports(code: Outcome): Partial<Record<MissionActName, Outcome>> {
  return {
    begin: code,
    finish: code,
    failStep: code,
    stick: code,
    robotPauses: code,
    robotGoesOn: code,
    robotGivesUp: code,
    robotConfirms: code,
  };
}

function keepStatus(status: MissionStatus): Partial<Record<MissionActName, Outcome>> {
  return { accept: status, reject: status, takeOver: status, sweep: status };
}

const STEERING_REJECTED = {
  pause: "invalid_state",
  resume: "invalid_state",
  cancel: "invalid_state",
  force: "invalid_state",
  retry: "invalid_state",
  skip: "invalid_state",
} as const;

/** The whole table: every action in every status. */
const TABLE: Record<MissionStatus, Record<MissionActName, Outcome>> = {
  awaiting_approval: table("awaiting_approval", {
    ...rejectReports("forbidden"),
    cancel: "canceled",
    force: "canceled",
  }),
  pending: table("pending", {
    ...rejectReports("forbidden"),
    cancel: "canceled",
    force: "canceled",
  }),
  assigned: table("assigned", {
    begin: "running",
    finish: "completed",
    failStep: "failed",
    stick: "running",
    robotPauses: "paused",
    robotGoesOn: "running",
    robotGivesUp: "failed",
    robotConfirms: "invalid_state",
    cancel: "canceled",
    force: "canceled",
    takeOver: "pending",
  }),
  running: table("running", {
    begin: "running",
    finish: "completed",
    failStep: "failed",
    stick: "running",
    robotPauses: "paused",
    robotGoesOn: "running",
    robotGivesUp: "failed",
    robotConfirms: "invalid_state",
    pause: "paused",
    resume: "running",
    // Only requested: the robot has to confirm.
    cancel: "running",
    force: "canceled",
    skip: "running",
    takeOver: "failed",
  }),
  paused: table("paused", {
    begin: "paused",
    finish: "completed",
    failStep: "failed",
    stick: "paused",
    robotPauses: "paused",
    robotGoesOn: "running",
    robotGivesUp: "failed",
    robotConfirms: "invalid_state",
    pause: "paused",
    resume: "running",
    // Its robot continues.
    reject: "running",
    cancel: "paused",
    force: "canceled",
    skip: "paused",
    takeOver: "failed",
  }),
  // Repeating the report returns the same result.
  completed: table("completed", { ...rejectReports("invalid_state"), finish: "completed" }),
  failed: table("failed", { ...rejectReports("invalid_state"), failStep: "failed", robotGivesUp: "failed" }),
  canceled: table("canceled", {
    ...rejectReports("invalid_state"),
    robotConfirms: "canceled",
    cancel: "canceled",
    force: "canceled",
  }),
  expired: table("expired", rejectReports("forbidden")),
};

function table(
  status: MissionStatus,
  outcomes: Partial<Record<MissionActName, Outcome>>,
): Record<MissionActName, Outcome> {
  const refused = { ...rejectReports("invalid_state"), ...STEERING_REJECTED };
  // Together they cover every action.
  return { ...refused, ...keepStatus(status), ...outcomes } as Record<MissionActName, Outcome>;
}

const ROWS = Object.values(MissionStatus).flatMap((status) =>
  // Object.keys() loses the names.
  (Object.keys(MISSION_MODEL_ACTS) as MissionActName[]).map((act) => ({
    status,
    act,
    outcome: TABLE[status][act],
  })),
);

describe("a mission", () => {
  it.each(ROWS)("with status $status: $act -> $outcome", async ({ status, act, outcome }) => {
    const { scene, id } = await missionIn(quiet, status);
    const before = await readStoredMission(scene.operator, id);
    expect(before.status).toBe(status);
    const code = await getErrorCode(MISSION_MODEL_ACTS[act](scene, id));
    const after = await readStoredMission(scene.operator, id);
    expect(code === "" ? after.status : code).toBe(outcome);
    if (code !== "") expect(after).toEqual(before);
    if (after.status !== before.status) expect(after.generation).toBeGreaterThan(before.generation);
    const isHeld = ["assigned", "running", "paused"].includes(after.status);
    expect((await readStoredRobot(robotAt(scene))).currentMissionId).toBe(isHeld ? id : null);
    expect(after.finishedAt === null).toBe(
      isHeld || after.status === "pending" || after.status === "awaiting_approval",
    );
  });

  it.each(Object.keys(MISSION_MOVES) as (keyof typeof MISSION_MOVES)[])(
    "can %s from the statuses of its table and from no other",
    (act) => {
      const { from, to } = MISSION_MOVES[act];
      const allowed: readonly MissionStatus[] = from;
      for (const status of Object.values(MissionStatus)) {
        if (allowed.includes(status)) expect(getStatusAfter(status, act)).toBe(to);
        else
          expect(() => getStatusAfter(status, act)).toThrow(
            expect.objectContaining({ code: "invalid_state" }),
          );
      }
    },
  );
});
