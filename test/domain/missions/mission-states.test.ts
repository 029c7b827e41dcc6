import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MissionStatus } from "../../../src/db/generated/enums.ts";
import { MISSION_MOVES, statusAfter } from "../../../src/domain/missions/mission-states.ts";
import { codeOf } from "../../support/callers.ts";
import {
  MISSION_ACTS,
  type MissionActName,
  missionIn,
  missionOf,
  robotAt,
  robotOf,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** What an act comes to: the status after it, or the refusal's code, with which nothing changes. */
type Outcome = MissionStatus | "invalid_state" | "forbidden";

/** The robot's reports of a mission that is not at it. */
function reportsRefused(code: Outcome): Partial<Record<MissionActName, Outcome>> {
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

function unmoved(status: MissionStatus): Partial<Record<MissionActName, Outcome>> {
  return { accept: status, reject: status, takeOver: status, sweep: status };
}

const STEERING_REFUSED = {
  pause: "invalid_state",
  resume: "invalid_state",
  cancel: "invalid_state",
  force: "invalid_state",
  retry: "invalid_state",
  skip: "invalid_state",
} as const;

/** The whole table: every act in every status. */
const TABLE: Record<MissionStatus, Record<MissionActName, Outcome>> = {
  pending: table("pending", {
    ...reportsRefused("forbidden"),
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
    // Only asked for: the robot has to confirm.
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
    // Its robot goes on.
    reject: "running",
    cancel: "paused",
    force: "canceled",
    skip: "paused",
    takeOver: "failed",
  }),
  // The same report again is answered alike.
  completed: table("completed", { ...reportsRefused("invalid_state"), finish: "completed" }),
  failed: table("failed", { ...reportsRefused("invalid_state"), failStep: "failed", robotGivesUp: "failed" }),
  canceled: table("canceled", {
    ...reportsRefused("invalid_state"),
    robotConfirms: "canceled",
    cancel: "canceled",
    force: "canceled",
  }),
  expired: table("expired", reportsRefused("forbidden")),
};

function table(
  status: MissionStatus,
  outcomes: Partial<Record<MissionActName, Outcome>>,
): Record<MissionActName, Outcome> {
  const refused = { ...reportsRefused("invalid_state"), ...STEERING_REFUSED };
  // Between them the two name every act.
  return { ...refused, ...unmoved(status), ...outcomes } as Record<MissionActName, Outcome>;
}

const ROWS = Object.values(MissionStatus).flatMap((status) =>
  // Object.keys() loses the names.
  (Object.keys(MISSION_ACTS) as MissionActName[]).map((act) => ({
    status,
    act,
    outcome: TABLE[status][act],
  })),
);

describe("a mission", () => {
  it.each(ROWS)("that is $status: $act -> $outcome", async ({ status, act, outcome }) => {
    const { scene, id } = await missionIn(quiet, status);
    const before = await missionOf(scene.operator, id);
    expect(before.status).toBe(status);
    const code = await codeOf(MISSION_ACTS[act](scene, id));
    const after = await missionOf(scene.operator, id);
    expect(code === "" ? after.status : code).toBe(outcome);
    if (code !== "") expect(after).toEqual(before);
    if (after.status !== before.status) expect(after.generation).toBeGreaterThan(before.generation);
    const isHeld = ["assigned", "running", "paused"].includes(after.status);
    expect((await robotOf(robotAt(scene))).currentMissionId).toBe(isHeld ? id : null);
    expect(after.finishedAt === null).toBe(isHeld || after.status === "pending");
  });

  it.each(Object.keys(MISSION_MOVES) as (keyof typeof MISSION_MOVES)[])(
    "can %s from the statuses of its table and from no other",
    (act) => {
      const { from, to } = MISSION_MOVES[act];
      const allowed: readonly MissionStatus[] = from;
      for (const status of Object.values(MissionStatus)) {
        if (allowed.includes(status)) expect(statusAfter(status, act)).toBe(to);
        else
          expect(() => statusAfter(status, act)).toThrow(expect.objectContaining({ code: "invalid_state" }));
      }
    },
  );
});
