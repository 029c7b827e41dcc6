import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { sweepMissions } from "../../../src/domain/missions/sweep-missions.ts";
import { checkAuditChain } from "../../support/audit-chain.ts";
import {
  MISSION_MODEL_ACTS,
  type MissionActName,
  type MissionScene,
  addRobot,
  answerCommands,
  newMission,
  openMissionScene,
  passMissionTime,
  robotAt,
  reportState,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { runs } from "../../support/property-runs.ts";

const ROBOTS = 3;
const MISSIONS = 4;

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** The sequential actions of one actor, while others run theirs. */
type Act = { kind: MissionActName | "idle" | "automatic" | "pass"; mission: number };

const ofRobot = fc.record({
  kind: fc.constantFrom(
    ...(["begin", "begin", "finish", "failStep", "stick", "robotPauses"] as const),
    ...(["accept", "accept", "reject", "takeOver", "automatic", "automatic", "idle"] as const),
  ),
  mission: fc.nat(MISSIONS - 1),
});
const ofOthers = fc.record({
  kind: fc.constantFrom(
    ...(["pause", "resume", "cancel", "force", "retry", "skip"] as const),
    ...(["sweep", "sweep", "sweep", "pass"] as const),
  ),
  mission: fc.nat(MISSIONS - 1),
});

/** Runs one action. Errors are checked by the rules. */
async function perform(scene: MissionScene, ids: string[], { kind, mission }: Act): Promise<void> {
  const id = ids[mission] ?? "";
  try {
    if (kind === "idle") await reportState(robotAt(scene));
    else if (kind === "automatic") await reportState(robotAt(scene), { executing: true });
    else if (kind === "pass") passMissionTime(scene, 20);
    else if (kind === "accept") await answerCommands(robotAt(scene));
    else await MISSION_MODEL_ACTS[kind](scene, id);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(["invalid_state", "forbidden"]).toContain(error.code);
  }
}

/** Each robot's mission, as stored and as reported, and the stored and actual totals. */
async function readAgreement(workspaceId: string) {
  const [row] = await quiet.database.query<{
    ofRobots: string[];
    ofMissions: string[];
    kept: object;
    counted: object;
  }>(
    `SELECT
       (SELECT array_agg(id || ' ' || current_mission_id ORDER BY id) FROM robot
        WHERE workspace_id = $1 AND current_mission_id IS NOT NULL) AS "ofRobots",
       (SELECT array_agg(robot_id || ' ' || id ORDER BY robot_id) FROM mission
        WHERE workspace_id = $1 AND status IN ('assigned', 'running', 'paused')) AS "ofMissions",
       (SELECT jsonb_object_agg(facet, total) FROM collection_total
        WHERE workspace_id = $1 AND collection = 'missions' AND total <> 0) AS kept,
       (SELECT jsonb_object_agg(facet, total) FROM (
          SELECT COALESCE(status::text, 'all') AS facet, count(*) AS total FROM mission WHERE workspace_id = $1
          GROUP BY GROUPING SETS ((), (status)) HAVING count(*) > 0) counts) AS counted`,
    [workspaceId],
  );
  if (row === undefined) throw new Error("no answer");
  return row;
}

async function countDeadlocks(): Promise<number> {
  const [row] = await quiet.database.query<{ deadlocks: number }>(
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
  );
  return row?.deadlocks ?? -1;
}

describe("missions under concurrent robots, operators and sweeps", () => {
  it("belong to one robot each, with exact totals, a complete audit log and no deadlock", async () => {
    const robots = fc.array(fc.array(ofRobot, { minLength: 6, maxLength: 10 }), {
      minLength: 3,
      maxLength: 3,
    });
    const others = fc.array(fc.array(ofOthers, { minLength: 6, maxLength: 10 }), {
      minLength: 3,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(robots, others, async (own, foreign) => {
        const scene = await openMissionScene(quiet, ROBOTS);
        const ids: string[] = [];
        for (let count = 0; count < MISSIONS; count++) ids.push((await newMission(scene)).id);
        const views = own.map((acts, place) => ({
          acts,
          scene: { ...scene, robots: [robotAt(scene, place)] },
        }));
        const actors = [...views, ...foreign.map((acts) => ({ acts, scene }))];
        await Promise.all(
          actors.map(async ({ acts, scene: seen }) => {
            for (const act of acts) await perform(seen, ids, act);
          }),
        );
        const { ofRobots, ofMissions, kept, counted } = await readAgreement(scene.workspaceId);
        expect(ofRobots).toEqual(ofMissions);
        expect(kept).toEqual(counted);
        await checkAuditChain(quiet.database, scene.workspaceId);
      }),
      { numRuns: runs(15), endOnFailure: true },
    );
    expect(await countDeadlocks()).toBe(0);
  }, 120_000);

  it("are assigned once by sweeps of several nodes", async () => {
    const scene = await openMissionScene(quiet, 0);
    for (let count = 0; count < 20; count++) await newMission(scene);
    const { services, now } = scene.operator;
    for (let count = 0; count < 10; count++) await addRobot(quiet, scene);
    await Promise.all([1, 2, 3, 4].map(() => sweepMissions(services, now)));
    await sweepMissions(services, now);
    const commands = await scene.operator.db.agentCommand.count({ where: { type: "mission.start" } });
    const assigned = await scene.operator.db.mission.count({ where: { status: "assigned" } });
    expect({ commands, assigned }).toEqual({ commands: 10, assigned: 10 });
    const { ofRobots, ofMissions } = await readAgreement(scene.workspaceId);
    expect(ofRobots).toEqual(ofMissions);
  });
});
