import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvalRunStatus } from "../../../src/db/generated/enums.ts";
import { getErrorCode } from "../../support/callers.ts";
import {
  EVAL_ACTS,
  type EvalActName,
  type EvalScene,
  readStoredEvalRun,
  evalSceneIn,
  passEvalTime,
} from "../../support/eval-scene.ts";
import { readEventTypes, lastAudit } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.createWorkspace());
});

afterAll(() => server.close());

/** The result of an action: the new status, or an error without any change. */
type Outcome = EvalRunStatus | "invalid_state";

const REJECTED = {
  addResults: "invalid_state",
  complete: "invalid_state",
  fail: "invalid_state",
  cancel: "invalid_state",
  promote: "invalid_state",
} as const;

/** The whole table: every action in every status. */
const TABLE: Record<EvalRunStatus, Record<EvalActName, Outcome>> = {
  queued: {
    addResults: "running",
    complete: "invalid_state",
    fail: "failed",
    cancel: "canceled",
    promote: "invalid_state",
    sweep: "queued",
  },
  running: {
    addResults: "running",
    complete: "completed",
    fail: "failed",
    cancel: "canceled",
    promote: "invalid_state",
    sweep: "running",
  },
  // Repeating the call returns the same result.
  completed: { ...REJECTED, complete: "completed", promote: "completed", sweep: "completed" },
  failed: { ...REJECTED, fail: "failed", sweep: "failed" },
  canceled: { ...REJECTED, cancel: "canceled", sweep: "canceled" },
};

const CASES = Object.entries(TABLE).flatMap(([from, acts]) =>
  Object.entries(acts).map(([act, outcome]) => ({ from, act, outcome })),
) as { from: EvalRunStatus; act: EvalActName; outcome: Outcome }[];

async function readResults({ reporter, id }: EvalScene) {
  return reporter.db.evalResult.findMany({ where: { evalRunId: id }, orderBy: { itemKey: "asc" } });
}

describe("the states of an evaluation run", () => {
  it.each(CASES)("$from, $act: $outcome", async ({ from, act, outcome }) => {
    const scene = await evalSceneIn({ server, workspaceId }, from);
    const [before, results] = [await readStoredEvalRun(scene), await readResults(scene)];
    expect(before.status).toBe(from);
    const isRefused = outcome === "invalid_state";
    expect(await getErrorCode(Promise.resolve(EVAL_ACTS[act](scene)))).toBe(isRefused ? outcome : "");
    const after = await readStoredEvalRun(scene);
    if (isRefused) {
      expect(after).toEqual(before);
      expect(await readResults(scene)).toEqual(results);
    } else expect(after.status).toBe(outcome);
  });

  it("reject actions with the current and allowed statuses", async () => {
    const scene = await evalSceneIn({ server, workspaceId }, "canceled");
    await expect(EVAL_ACTS.complete(scene)).rejects.toMatchObject({
      details: { currentStatus: "canceled", allowed: ["running"] },
    });
  });

  it.each(["complete", "cancel", "fail", "promote"] as const)(
    "don't change if %s is repeated",
    async (act) => {
      const scene = await evalSceneIn({ server, workspaceId }, act === "promote" ? "completed" : "running");
      await EVAL_ACTS[act](scene);
      const before = [await readStoredEvalRun(scene), await readEventTypes(server, scene.id)];
      await EVAL_ACTS[act](scene);
      expect([await readStoredEvalRun(scene), await readEventTypes(server, scene.id)]).toEqual(before);
    },
  );

  it("write events, and audit events for users", async () => {
    const { query } = server.database;
    const trail = "SELECT action FROM audit_event WHERE target_id = $1 ORDER BY seq";
    const scene = await evalSceneIn({ server, workspaceId }, "completed");
    expect(await query(trail, [scene.id])).toEqual([]);
    await EVAL_ACTS.promote(scene);
    expect(await readEventTypes(server, scene.id)).toEqual([
      ...["eval_run.created", "eval_run.updated", "eval_run.completed", "eval_run.updated"],
    ]);
    expect(await lastAudit(server, workspaceId)).toMatchObject({
      action: "eval_run.baseline_promoted",
      target_id: scene.id,
      changes: { suite: scene.suite, replaced: null },
    });
    const canceled = await evalSceneIn({ server, workspaceId }, "canceled");
    expect((await readEventTypes(server, canceled.id)).at(-1)).toBe("eval_run.canceled");
    expect(await query(trail, [canceled.id])).toEqual([{ action: "eval_run.canceled" }]);
    const failed = await evalSceneIn({ server, workspaceId }, "failed");
    expect((await readEventTypes(server, failed.id)).at(-1)).toBe("eval_run.failed");
    const own = await evalSceneIn({ server, workspaceId }, "running");
    await EVAL_ACTS.addResults({ ...own, reporter: own.operator });
    await EVAL_ACTS.complete({ ...own, reporter: own.operator });
    expect(await query(trail, [own.id])).toEqual([
      { action: "eval_run.results_added" },
      { action: "eval_run.completed" },
    ]);
  });

  it("set the start and finish times, and a generation per change", async () => {
    const scene = await evalSceneIn({ server, workspaceId }, "queued");
    expect(await readStoredEvalRun(scene)).toMatchObject({
      startedAt: null,
      finishedAt: null,
      generation: 1,
    });
    passEvalTime(scene, 1);
    await EVAL_ACTS.addResults(scene);
    const startedAt = scene.reporter.now;
    passEvalTime(scene, 1);
    await EVAL_ACTS.addResults(scene);
    await EVAL_ACTS.complete(scene);
    expect(await readStoredEvalRun(scene)).toMatchObject({
      ...{ startedAt, finishedAt: scene.reporter.now, generation: 4 },
    });
  });
});

describe("sweepEvalRuns", () => {
  it.each(["queued", "running"] as const)(
    "fails a run with status %s after 60 minutes without a report",
    async (from) => {
      const scene = await evalSceneIn({ server, workspaceId }, from);
      passEvalTime(scene, 59);
      await EVAL_ACTS.sweep(scene);
      expect((await readStoredEvalRun(scene)).status).toBe(from);
      passEvalTime(scene, 1);
      await EVAL_ACTS.sweep(scene);
      expect(await readStoredEvalRun(scene)).toMatchObject({
        ...{ status: "failed", verdict: "none", finishedAt: scene.reporter.now },
        error: { code: "stalled", message: "Nothing was reported for 60 minutes." },
      });
      expect((await readEventTypes(server, scene.id)).at(-1)).toBe("eval_run.failed");
    },
  );

  it("keeps a run with any report, even repeated results", async () => {
    const scene = await evalSceneIn({ server, workspaceId }, "running");
    for (let batch = 0; batch < 3; batch++) {
      passEvalTime(scene, 59);
      await EVAL_ACTS.addResults(scene);
      await EVAL_ACTS.sweep(scene);
    }
    expect((await readStoredEvalRun(scene)).status).toBe("running");
  });

  it("fails each run once with several concurrent nodes", async () => {
    const scenes = [];
    for (let made = 0; made < 5; made++) scenes.push(await evalSceneIn({ server, workspaceId }, "queued"));
    for (const scene of scenes) passEvalTime(scene, 60);
    await Promise.all(scenes.map((scene) => EVAL_ACTS.sweep(scene)));
    for (const { id } of scenes) {
      expect(await readEventTypes(server, id)).toEqual(["eval_run.created", "eval_run.failed"]);
    }
  });

  it("is one of the server's sweeps", async () => {
    const { sweepDeadlines } = await import("../../../src/domain/sweeps/sweep-deadlines.ts");
    const scene = await evalSceneIn({ server, workspaceId }, "queued");
    passEvalTime(scene, 60);
    await sweepDeadlines(server.services, scene.reporter.now);
    expect((await readStoredEvalRun(scene)).status).toBe("failed");
  });
});
