import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvalResultStatus } from "../../../src/db/generated/enums.ts";
import { compareEvalRuns } from "../../../src/domain/eval-runs/compare-eval-runs.ts";
import { COUNT_CHANGES, EVAL_RESULT_PAIRS } from "../../../src/domain/eval-runs/eval-changes.ts";
import { listEvalChanges } from "../../../src/domain/eval-runs/list-eval-changes.ts";
import { getErrorCode } from "../../support/callers.ts";
import {
  EVAL_ACTS,
  type EvalScene,
  anotherRun,
  completeWith,
  createEvalScene,
  readStoredEvalRun,
  items,
} from "../../support/eval-scene.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type PlainComparison, comparePlainly } from "../../support/plain-comparison.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { runs } from "../../support/property-runs.ts";

let server: TestServer;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.createWorkspace());
});

afterAll(() => server.close());

const KINDS = ["regressions", "improvements", "added", "removed"] as const;

/** The items of a comparison, with lists in pages of `first`. */
async function readComparison(
  { reporter }: EvalScene,
  input: { runId: string; baselineId?: string },
  first = 100,
): Promise<PlainComparison> {
  const lists: Record<string, string[]> = {};
  let unchanged = 0;
  for (const kind of KINDS) {
    const listed: string[] = [];
    for (let more = true; more;) {
      const comparison = await compareEvalRuns(reporter, { ...input, first, offset: listed.length });
      ({ unchanged } = comparison.counts);
      listed.push(...(await listEvalChanges(reporter, comparison, kind)).map(({ itemKey }) => itemKey));
      more = listed.length < comparison.counts[kind];
    }
    lists[kind] = listed;
  }
  return { ...(lists as Omit<PlainComparison, "unchanged">), unchanged };
}

const status = fc.constantFrom<EvalResultStatus>("passed", "failed", "errored", "skipped");
const run = fc.dictionary(
  fc.integer({ min: 10, max: 49 }).map((n) => `q-${n}`),
  status,
  { minKeys: 1, maxKeys: 30 },
);

describe("compareEvalRuns", () => {
  it("matches a plain comparison of random results, in pages of any size", async () => {
    const property = fc.asyncProperty(
      run,
      run,
      fc.integer({ min: 1, max: 9 }),
      async (before, after, first) => {
        const baseline = await createEvalScene(server, workspaceId);
        await completeWith(baseline, items(before));
        const next = await anotherRun(baseline, { baselineRunId: baseline.id });
        await completeWith(next, items(after));
        const expected = comparePlainly(before, after);
        expect(await readComparison(next, { runId: next.id }, first)).toEqual(expected);
        const hasRegressed = (await readEventTypes(server, next.id)).includes("eval_run.regressed");
        expect(hasRegressed).toBe(expected.regressions.length > 0);
      },
    );
    await fc.assert(property, { numRuns: runs(40) });
  });

  it("joins results by hash or merge, whatever the statistics", async () => {
    const { id, reporter } = await createEvalScene(server, workspaceId);
    const values = [reporter.workspaceId, id, id];
    for (const text of [COUNT_CHANGES.text, `SELECT * FROM (${EVAL_RESULT_PAIRS}) pairs`]) {
      const plan = JSON.stringify(await server.database.query(`EXPLAIN ${text}`, values));
      expect(plan).toMatch(/(?:Hash|Merge) Full Join/);
      expect(plan).not.toContain("Nested Loop");
    }
  });

  it("returns both statuses and trace ids of each item", async () => {
    const [was, is] = ["1".repeat(32), "2".repeat(32)];
    const baseline = await createEvalScene(server, workspaceId);
    await completeWith(baseline, [{ itemKey: "a", status: "passed", traceId: was }]);
    const next = await anotherRun(baseline, { baselineRunId: baseline.id });
    await completeWith(next, [{ itemKey: "a", status: "errored", traceId: is }, ...items({ b: "failed" })]);
    const comparison = await compareEvalRuns(next.reporter, { runId: next.id });
    expect(comparison.counts).toEqual({
      ...{ regressions: 1, improvements: 0, added: 1, removed: 0, unchanged: 0 },
    });
    expect(await listEvalChanges(next.reporter, comparison, "regressions")).toEqual([
      { itemKey: "a", from: "passed", to: "errored", traceId: is, baselineTraceId: was },
    ]);
    expect(await listEvalChanges(next.reporter, comparison, "added")).toEqual([
      { itemKey: "b", from: null, to: "failed", traceId: null, baselineTraceId: null },
    ]);
  });

  it("returns the change of each score's mean", async () => {
    const scored = (scores: Record<string, number>) => [
      {
        itemKey: "a",
        status: "passed" as const,
        scores: Object.entries(scores).map(([name, value]) => ({ name, value })),
      },
    ];
    const baseline = await createEvalScene(server, workspaceId);
    await completeWith(baseline, scored({ exact: 1, gone: 3 }));
    const next = await anotherRun(baseline, { baselineRunId: baseline.id });
    await completeWith(next, scored({ exact: 0.75, fresh: 2 }));
    const { scoreDeltas } = await compareEvalRuns(next.reporter, { runId: next.id });
    expect(scoreDeltas).toEqual([
      { name: "exact", from: 1, to: 0.75, delta: -0.25 },
      { name: "fresh", from: null, to: 2, delta: null },
      { name: "gone", from: 3, to: null, delta: null },
    ]);
  });

  it("compares with the given run, or the suite's current baseline", async () => {
    const first = await createEvalScene(server, workspaceId);
    await completeWith(first, items({ a: "failed" }));
    const second = await anotherRun(first);
    await completeWith(second, items({ a: "passed" }));
    const { reporter } = second;
    const bare = { runId: second.id };
    await expect(compareEvalRuns(reporter, bare)).rejects.toMatchObject({
      ...{ code: "validation_failed", details: { field: "baselineId" } },
    });
    const latest = { ...bare, baselineId: "latest_baseline" };
    expect(await getErrorCode(compareEvalRuns(reporter, latest))).toBe("validation_failed");
    await EVAL_ACTS.promote(first);
    expect((await compareEvalRuns(reporter, latest)).counts.improvements).toBe(1);
    expect((await compareEvalRuns(reporter, { ...bare, baselineId: first.id })).counts.improvements).toBe(1);
    expect((await compareEvalRuns(reporter, { ...bare, baselineId: second.id })).counts.unchanged).toBe(1);
  });

  it("rejects unknown runs, sizes out of range and callers without the scope", async () => {
    const { reporter, id } = await createEvalScene(server, workspaceId);
    const none = crypto.randomUUID();
    expect(await getErrorCode(compareEvalRuns(reporter, { runId: none }))).toBe("not_found");
    expect(await getErrorCode(compareEvalRuns(reporter, { runId: id, baselineId: none }))).toBe("not_found");
    const itself = { runId: id, baselineId: id };
    expect(await getErrorCode(compareEvalRuns(reporter, { ...itself, first: 101 }))).toBe(
      "validation_failed",
    );
    expect(await getErrorCode(compareEvalRuns(reporter, { ...itself, offset: -1 }))).toBe(
      "validation_failed",
    );
    if (reporter.actor.type === "agent") reporter.actor = { ...reporter.actor, scopes: new Set() };
    expect(await getErrorCode(compareEvalRuns(reporter, itself))).toBe("insufficient_scope");
  });
});

describe("promoteEvalBaseline", () => {
  it("sets the suite's only baseline, which later runs are compared with", async () => {
    const first = await createEvalScene(server, workspaceId, { baselineRunId: "latest_baseline" });
    expect((await completeWith(first, items({ a: "passed" }))).baselineRunId).toBeNull();
    await EVAL_ACTS.promote(first);
    const second = await anotherRun(first, { baselineRunId: "latest_baseline" });
    expect((await completeWith(second, items({ a: "passed" }))).baselineRunId).toBe(first.id);
    await EVAL_ACTS.promote(second);
    expect([(await readStoredEvalRun(first)).baseline, (await readStoredEvalRun(second)).baseline]).toEqual([
      false,
      true,
    ]);
    expect((await readEventTypes(server, first.id)).at(-1)).toBe("eval_run.updated");
    const third = await anotherRun(second, { baselineRunId: "latest_baseline" });
    expect((await readStoredEvalRun(third)).baselineRunId).toBe(second.id);
  });

  it("sets one baseline under concurrent promotions", async () => {
    const first = await createEvalScene(server, workspaceId);
    const scenes = [first, await anotherRun(first), await anotherRun(first), await anotherRun(first)];
    for (const scene of scenes) await completeWith(scene, items({ a: "passed" }));
    for (let round = 0; round < 5; round++) {
      await Promise.all(scenes.map((scene) => EVAL_ACTS.promote(scene)));
      const baselines = await Promise.all(
        scenes.map(async (scene) => (await readStoredEvalRun(scene)).baseline),
      );
      expect(baselines.filter(Boolean)).toHaveLength(1);
    }
  });

  it("requires an operator", async () => {
    const scene = await createEvalScene(server, workspaceId);
    await completeWith(scene, items({ a: "passed" }));
    expect(await getErrorCode(EVAL_ACTS.promote({ ...scene, operator: scene.reporter }))).toBe("forbidden");
    const { operator } = scene;
    if (operator.actor.type === "user") operator.actor = { ...operator.actor, role: "viewer" };
    expect(await getErrorCode(EVAL_ACTS.promote(scene))).toBe("forbidden");
    expect((await readStoredEvalRun(scene)).baseline).toBe(false);
  });
});
