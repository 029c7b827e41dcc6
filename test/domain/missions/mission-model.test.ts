import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { reportMissionProgress } from "../../../src/domain/missions/report-mission-progress.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import {
  type MissionModel,
  type ModelReport,
  modelMissionAnswer,
  modelCreate,
  modelReport,
  modelSteer,
  modelMissionSweep,
  modelTell,
} from "../../support/mission-model.ts";
import {
  MISSION_MODEL_ACTS,
  type MissionScene,
  answerCommands,
  newMission,
  openMissionScene,
  passMissionTime,
  robotAt,
  sweepAll,
  reportState,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { runs } from "../../support/property-runs.ts";

const ROBOTS = 3;

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

type Real = { scene: MissionScene; ids: string[] };
type Step = fc.AsyncCommand<MissionModel, Real>;

async function open(): Promise<{ model: MissionModel; real: Real }> {
  const scene = await openMissionScene(quiet, ROBOTS);
  const robots = scene.robots.map(() => ({
    mode: "automatic" as const,
    doing: "idle" as const,
    isStopped: false,
    reportedAt: 0,
    mission: null,
  }));
  return { model: { now: 0, missions: [], robots, isEmergency: false }, real: { scene, ids: [] } };
}

/** Compares the missions, their robots, errors and the totals with the model. */
async function expectAgreement({ missions, robots }: MissionModel, { scene, ids }: Real): Promise<void> {
  const { operator, workspaceId } = scene;
  const rows = await operator.db.mission.findMany();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const shown = ids.map((id) => {
    const row = byId.get(id);
    return { status: row?.status, robot: row?.robotId, attempts: row?.dispatchAttempts };
  });
  expect(shown).toEqual(
    missions.map(({ status, robot, attempts }) => ({
      status,
      robot: robot === null ? null : robotAt(scene, robot).robotId,
      attempts,
    })),
  );
  for (const [place, { reason }] of missions.entries()) {
    const error: unknown = byId.get(ids[place] ?? "")?.error;
    if (reason !== null) expect(error).toMatchObject({ type: reason });
  }
  const held = await operator.db.robot.findMany();
  const current = new Map(held.map(({ id, currentMissionId }) => [id, currentMissionId]));
  expect(scene.robots.map(({ robotId }) => current.get(robotId))).toEqual(
    robots.map(({ mission }) => (mission === null ? null : ids[mission])),
  );
  const [totals] = await quiet.database.query<{ kept: object; counted: object }>(TOTALS, [workspaceId]);
  expect(totals?.kept).toEqual(totals?.counted);
}

const TOTALS = `
SELECT (SELECT jsonb_object_agg(collection || ' ' || facet, total) FROM collection_total
        WHERE workspace_id = $1 AND collection IN ('missions', 'agent_commands') AND total <> 0) AS kept,
  (SELECT jsonb_object_agg(name || ' ' || facet, total) FROM (
     SELECT 'missions' AS name, COALESCE(status::text, 'all') AS facet, count(*) AS total FROM mission
     WHERE workspace_id = $1 GROUP BY GROUPING SETS ((), (status)) HAVING count(*) > 0
     UNION ALL
     SELECT 'agent_commands', COALESCE(status::text, 'all'), count(*) FROM agent_command
     WHERE workspace_id = $1 GROUP BY GROUPING SETS ((), (status)) HAVING count(*) > 0) counts) AS counted`;

/** A step applied to the model and the workspace, which must agree on the result. */
function step(
  name: string,
  run: (model: MissionModel, real: Real) => Promise<void>,
  check: Step["check"] = () => true,
): Step {
  return {
    check,
    run: async (model, real) => {
      await run(model, real);
      await expectAgreement(model, real);
    },
    toString: () => name,
  };
}

function ofMission(
  name: string,
  pick: number,
  run: (model: MissionModel, on: { real: Real; place: number; id: string }) => Promise<void>,
): Step {
  const act = async (model: MissionModel, real: Real) => {
    const place = pick % model.missions.length;
    await run(model, { real, place, id: real.ids[place] ?? "" });
  };
  return step(`${name} mission ${pick}`, act, ({ missions }) => missions.length > 0);
}

const REPORTS: Record<ModelReport, Omit<Parameters<typeof reportMissionProgress>[1], "id">> = {
  begin: { steps: [{ key: "drive", status: "running" }] },
  finish: {
    steps: [
      { key: "drive", status: "finished" },
      { key: "lift", status: "finished" },
    ],
  },
  failStep: { steps: [{ key: "lift", status: "failed", error: { type: "blocked" } }] },
  robotPauses: { status: "paused" },
  robotConfirms: { status: "canceled" },
};

const pick = fc.nat(5);
const robot = fc.nat(ROBOTS - 1);
const steps: fc.Arbitrary<Step>[] = [
  fc
    .record({
      priority: fc.constantFrom(3, 5, 5, 9),
      meant: fc.option(robot, { freq: 3 }),
      seconds: fc.option(fc.constantFrom(40, 100), { freq: 3 }),
    })
    .map(({ priority, meant, seconds }) =>
      step(`create for ${meant} at ${priority} within ${seconds} s`, async (model, { scene, ids }) => {
        const startMs = (scene.operator.now?.getTime() ?? 0) - model.now * 1000;
        const deadline = seconds === null ? null : model.now + seconds;
        const { id } = await newMission(scene, {
          priority,
          robotId: meant === null ? null : robotAt(scene, meant).robotId,
          deadlineAt: deadline === null ? null : new Date(startMs + deadline * 1000),
        });
        ids.push(id);
        modelCreate(model, { priority, meant, deadline });
      }),
    ),
  // Object.keys() loses the names.
  fc.tuple(fc.constantFrom(...(Object.keys(REPORTS) as ModelReport[])), pick).map(([report, at]) =>
    ofMission(report, at, async (model, { real, place, id }) => {
      // Mostly by its current robot.
      const by = model.missions[place]?.robot ?? at % ROBOTS;
      const reporting = reportMissionProgress(robotAt(real.scene, by), { id, ...REPORTS[report] });
      expect(await getErrorCode(reporting)).toBe(modelReport(model, { place, robot: by }, report));
    }),
  ),
  fc.tuple(fc.constantFrom("pause", "resume", "cancel", "force"), pick).map(([act, at]) =>
    ofMission(act, at, async (model, { real, place, id }) => {
      const code = await getErrorCode(MISSION_MODEL_ACTS[act](real.scene, id));
      expect(code).toBe(modelSteer(model, place, act));
    }),
  ),
  fc.tuple(robot, fc.constantFrom("accepted", "accepted", "rejected")).map(([by, outcome]) =>
    step(`robot ${by} ${outcome} what it is told`, async (model, { scene }) => {
      await answerCommands(robotAt(scene, by), outcome);
      modelMissionAnswer(model, by, outcome === "accepted");
    }),
  ),
  fc.tuple(robot, fc.constantFrom("idle", "executing", "manual")).map(([by, said]) =>
    step(`robot ${by} tells ${said}`, async (model, { scene }) => {
      const mode = said === "manual" ? "manual" : "automatic";
      const doing = said === "executing" ? "executing" : "idle";
      await reportState(robotAt(scene, by), { operatingMode: mode, executing: doing === "executing" });
      modelTell(model, by, { mode, doing });
    }),
  ),
  fc.tuple(robot, fc.boolean()).map(([by, isStopped]) =>
    step(`robot ${by} is ${isStopped ? "stopped" : "let go"}`, async (model, { scene }) => {
      const controlState = isStopped ? "stopped" : "active";
      await setAgentControlState(scene.operator, { id: robotAt(scene, by).robotId, controlState });
      const known = model.robots[by];
      if (known !== undefined) known.isStopped = isStopped;
    }),
  ),
  fc.constant(
    step("the emergency stop is pressed, or released", async (model, { scene }) => {
      const admin = userCtx(quiet, scene.workspaceId, "admin");
      if (model.isEmergency) await releaseEmergencyStop(admin, { reason: "x" });
      else await emergencyStop(admin, { reason: "x" });
      model.isEmergency = !model.isEmergency;
    }),
  ),
  fc.constantFrom(1, 10, 29, 30, 44, 60, 600).map((seconds) =>
    step(`${seconds} s pass`, async (model, { scene }) => {
      passMissionTime(scene, seconds);
      model.now += seconds;
    }),
  ),
  ...[0, 1].map(() =>
    fc.constant(
      step("sweep", async (model, { scene }) => {
        await sweepAll(scene);
        modelMissionSweep(model);
      }),
    ),
  ),
];

describe("a mission", () => {
  it("behaves like the model under random actions of robots, operators and time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: "max" }), async (commands) => {
        const { model, real } = await open();
        await fc.asyncModelRun(() => ({ model, real }), commands);
      }),
      { numRuns: runs(25), endOnFailure: true },
    );
  }, 180_000);
});
