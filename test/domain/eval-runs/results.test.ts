import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvalResultStatus } from "../../../src/db/generated/enums.ts";
import { listEvalResults } from "../../../src/domain/eval-runs/list-eval-results.ts";
import { getTotals } from "../../../src/domain/eval-runs/eval-totals.ts";
import { getErrorCode } from "../../support/callers.ts";
import {
  EVAL_ACTS,
  type EvalScene,
  type Item,
  createEvalScene,
  readStoredEvalRun,
  items,
} from "../../support/eval-scene.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { runs } from "../../support/property-runs.ts";

let server: TestServer;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.createWorkspace());
});

afterAll(() => server.close());

const STATUSES = ["passed", "failed", "errored", "skipped"] as const;

/** The totals of results, computed without a database. */
function plainTotals(results: Item[]) {
  const count = (status: EvalResultStatus) => results.filter((result) => result.status === status).length;
  const scores = results.flatMap((result) => result.scores ?? []);
  const names = [...new Set(scores.map(({ name }) => name))].toSorted();
  const costs = results.flatMap(({ costUsd }) => (typeof costUsd === "number" ? [costUsd] : []));
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  return {
    resultCounts: {
      total: results.length,
      ...{ passed: count("passed"), failed: count("failed"), errored: count("errored") },
    },
    scoreSummaries: names.map((name) => {
      const values = scores.filter((score) => score.name === name).map(({ value }) => value);
      const mean = expect.closeTo(sum(values) / values.length, 9);
      return { name, mean, min: Math.min(...values), max: Math.max(...values), n: values.length };
    }),
    costUsd: costs.length === 0 ? null : expect.closeTo(sum(costs), 9),
  };
}

/** The totals of a run that is not completed: its ranges cover all that was sent, and zero costs are zero. */
function openTotals(kept: Item[], sent: Item[]) {
  const { scoreSummaries, costUsd, ...counts } = plainTotals(kept);
  const ranges = new Map(plainTotals(sent).scoreSummaries.map((range) => [range.name, range]));
  return {
    ...counts,
    scoreSummaries: scoreSummaries.map(({ name, mean, n, min, max }) => ({
      ...{ name, mean, n },
      min: expect.toSatisfy((value: number) => value <= min && value >= (ranges.get(name)?.min ?? min)),
      max: expect.toSatisfy((value: number) => value >= max && value <= (ranges.get(name)?.max ?? max)),
    })),
    costUsd: costUsd ?? expect.toSatisfy((value: number | null) => value === null || value < 1e-9),
  };
}

const item: fc.Arbitrary<Item> = fc.record({
  itemKey: fc.integer({ min: 0, max: 30 }).map((n) => `q-${n}`),
  status: fc.constantFrom(...STATUSES),
  scores: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("a", "b", "c"),
      value: fc.integer({ min: -8, max: 8 }).map((n) => n / 4),
    }),
    { selector: ({ name }) => name, maxLength: 3 },
  ),
  costUsd: fc.constantFrom(null, 0, 0.25, 1.5),
});
const batch = fc.uniqueArray(item, { selector: ({ itemKey }) => itemKey, minLength: 1, maxLength: 12 });

describe("addEvalResults", () => {
  it("keeps correct totals after any batches", async () => {
    const property = fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 5 }), async (batches) => {
      const scene = await createEvalScene(server, workspaceId);
      const kept = new Map<string, Item>();
      const sent: Item[] = [];
      for (const results of batches) {
        const replaced = results.filter(({ itemKey }) => kept.has(itemKey)).length;
        const { accepted, updated } = await EVAL_ACTS.addResults(scene, results);
        expect(accepted).toBe(results.length);
        expect(updated).toBeLessThanOrEqual(replaced);
        for (const result of results) kept.set(result.itemKey, result);
        sent.push(...results);
        expect(getTotals(await readStoredEvalRun(scene))).toEqual(openTotals([...kept.values()], sent));
      }
      const running = getTotals(await readStoredEvalRun(scene));
      const completed = getTotals(await EVAL_ACTS.complete(scene));
      expect(completed).toEqual(plainTotals([...kept.values()]));
      expect(completed.resultCounts).toEqual(running.resultCounts);
    });
    await fc.assert(property, { numRuns: runs(40) });
  });

  it("changes no result for a repeated batch, and returns the same", async () => {
    const scene = await createEvalScene(server, workspaceId);
    const results = [
      { ...items({ a: "passed" })[0], scores: [{ name: "s", value: 1 }] },
      ...items({ b: "failed" }),
    ];
    const first = await EVAL_ACTS.addResults(scene, results as Item[]);
    const stored = () => scene.reporter.db.evalResult.findMany({ where: { evalRunId: scene.id } });
    const before = await stored();
    const again = await EVAL_ACTS.addResults(scene, results as Item[]);
    expect(await stored()).toEqual(before);
    expect([again.accepted, again.updated]).toEqual([first.accepted, first.updated]);
    expect(getTotals(again.run)).toEqual(getTotals(first.run));
  });

  it("replaces the item's earlier result", async () => {
    const scene = await createEvalScene(server, workspaceId);
    await EVAL_ACTS.addResults(scene, items({ a: "failed", b: "passed" }));
    const { run, updated } = await EVAL_ACTS.addResults(scene, items({ a: "passed" }));
    expect(updated).toBe(1);
    expect(run.resultCounts).toEqual({ total: 2, passed: 2, failed: 0, errored: 0 });
  });

  it("loses nothing of concurrent batches", async () => {
    const scene = await createEvalScene(server, workspaceId);
    const batches = Array.from({ length: 8 }, (_, place) =>
      items(
        Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`q-${place * 15 + n}`, "passed"] as const)),
      ),
    );
    await Promise.all(batches.map((results) => EVAL_ACTS.addResults(scene, results)));
    const total = new Set(batches.flat().map(({ itemKey }) => itemKey)).size;
    expect((await readStoredEvalRun(scene)).resultCounts).toEqual({
      total,
      passed: total,
      failed: 0,
      errored: 0,
    });
    expect(await scene.reporter.db.evalResult.count({ where: { evalRunId: scene.id } })).toBe(total);
  });

  it("is in the verdict or rejected if concurrent with completion", async () => {
    for (let round = 0; round < 10; round++) {
      const scene = await createEvalScene(server, workspaceId);
      await EVAL_ACTS.addResults(scene, items({ first: "passed" }));
      const late = ["a", "b", "c"].map((key) =>
        getErrorCode(EVAL_ACTS.addResults(scene, items({ [key]: "passed" }))),
      );
      const [run, ...codes] = await Promise.all([EVAL_ACTS.complete(scene), ...late]);
      const taken = codes.filter((code) => code === "").length;
      expect(codes.filter((code) => code === "invalid_state")).toHaveLength(3 - taken);
      expect(run.resultCounts).toMatchObject({ total: 1 + taken });
      expect(await scene.reporter.db.evalResult.count({ where: { evalRunId: scene.id } })).toBe(1 + taken);
      expect((await readStoredEvalRun(scene)).resultCounts).toEqual(run.resultCounts);
    }
  });

  const good = { itemKey: "a", status: "passed" } as const;
  it.each<[string, object[]]>([
    ["results", []],
    ["results", Array.from({ length: 501 }, (_, n) => ({ ...good, itemKey: `q-${n}` }))],
    ["results.2", [good, { ...good, itemKey: "b" }, good]],
    ["results.1.itemKey", [good, { ...good, itemKey: "" }]],
    ["results.0.itemKey", [{ ...good, itemKey: "a\0b" }]],
    ["results.0.status", [{ ...good, status: "maybe" }]],
    ["results.0.scores.0.value", [{ ...good, scores: [{ name: "s", value: 1e13 }] }]],
    ["results.0.scores", [{ ...good, scores: [1, 2].map((value) => ({ name: "s", value })) }]],
    ["results.0.latencyMs", [{ ...good, latencyMs: -1 }]],
    ["results.0.costUsd", [{ ...good, costUsd: -0.1 }]],
    ["results.0.traceId", [{ ...good, traceId: "0".repeat(32) }]],
    ["results.0.output", [{ ...good, output: "x".repeat(262_145) }]],
    ["results.0.input", [{ ...good, input: { text: "\ud800" } }]],
    ["results.0.error", [{ ...good, error: "x".repeat(2001) }]],
  ])("rejects an invalid %s and the whole batch", async (field, results) => {
    const scene = await createEvalScene(server, workspaceId);
    await expect(EVAL_ACTS.addResults(scene, results as Item[])).rejects.toMatchObject({
      ...{ code: "validation_failed", details: { field } },
    });
    expect(await readStoredEvalRun(scene)).toMatchObject({ status: "queued", resultCounts: { total: 0 } });
  });

  it("rejects more than 100 names of scores in a run", async () => {
    const scene = await createEvalScene(server, workspaceId);
    const named = (from: number, many: number): Item[] => [
      {
        ...{ itemKey: `q-${from}`, status: "passed" },
        scores: Array.from({ length: many }, (_, n) => ({ name: `s-${from + n}`, value: 1 })),
      },
    ];
    for (const from of [0, 32, 64]) await EVAL_ACTS.addResults(scene, named(from, 32));
    expect(await getErrorCode(EVAL_ACTS.addResults(scene, named(96, 5)))).toBe("validation_failed");
    expect((await EVAL_ACTS.addResults(scene, named(96, 4))).run.scoreSummaries).toHaveLength(100);
  });

  it("rejects an unknown run", async () => {
    const scene = await createEvalScene(server, workspaceId);
    expect(await getErrorCode(EVAL_ACTS.addResults({ ...scene, id: crypto.randomUUID() }))).toBe("not_found");
  });
});

describe("listEvalResults", () => {
  let scene: EvalScene;

  beforeAll(async () => {
    scene = await createEvalScene(server, workspaceId);
    const statuses = Array.from(
      { length: 25 },
      (_, n) => [`q-${n + 10}`, STATUSES[n % 4] ?? "passed"] as const,
    );
    await EVAL_ACTS.addResults(scene, items(Object.fromEntries(statuses)).toReversed());
  });

  const list = (page: object, filter: object = {}) =>
    listEvalResults(scene.reporter, page, { runId: scene.id, ...filter });

  it("lists all results by key in both directions", async () => {
    const { evalResultCursor } = await import("../../../src/domain/eval-runs/list-eval-results.ts");
    const every = Array.from({ length: 25 }, (_, n) => `q-${n + 10}`);
    const forward: string[] = [];
    for (let page = await list({ first: 7 }); ;) {
      forward.push(...page.nodes.map(({ itemKey }) => itemKey));
      expect(page.total).toBe(25);
      if (!page.hasNextPage) break;
      page = await list({ first: 7, after: evalResultCursor({ itemKey: forward.at(-1) ?? "" }) });
    }
    expect(forward).toEqual(every);
    const backward: string[] = [];
    for (let page = await list({ last: 7 }); ;) {
      backward.unshift(...page.nodes.map(({ itemKey }) => itemKey));
      if (!page.hasPreviousPage) break;
      page = await list({ last: 7, before: evalResultCursor({ itemKey: backward[0] ?? "" }) });
    }
    expect(backward).toEqual(every);
    expect((await list({ first: 3, offset: 20 })).nodes.map(({ itemKey }) => itemKey)).toEqual(
      every.slice(20, 23),
    );
  });

  it("pages by a large offset like by a small one", async () => {
    const { id: runId, reporter } = await createEvalScene(server, workspaceId);
    await server.database.query(
      `INSERT INTO eval_result (workspace_id, id, eval_run_id, item_key, input, status)
       SELECT $1, gen_random_uuid(), $2, 'q-' || n, '{}', 'passed' FROM generate_series(1000, 3099) n`,
      [workspaceId, runId],
    );
    for (const offset of [1999, 2000, 2090]) {
      const page = await listEvalResults(reporter, { offset, first: 20 }, { runId });
      const keys = Array.from({ length: Math.min(20, 2100 - offset) }, (_, n) => `q-${1000 + offset + n}`);
      expect(page.nodes.map(({ itemKey }) => itemKey)).toEqual(keys);
      expect(page).toMatchObject({ hasNextPage: offset + 20 < 2100, hasPreviousPage: true });
    }
  });

  it("returns the total of each status without counting", async () => {
    for (const status of STATUSES) {
      const { nodes, total } = await list({ first: 100 }, { status });
      expect(nodes.every((node) => node.status === status)).toBe(true);
      expect(total).toBe(nodes.length);
      expect(total).toBeGreaterThan(5);
    }
    expect(await list({ first: 0 }, { status: "passed" })).toMatchObject({
      nodes: [],
      total: 7,
      hasNextPage: false,
    });
    expect(await list({}, { itemKey: "q-12" })).toMatchObject({ nodes: [{ itemKey: "q-12" }], total: 1 });
    expect(await list({ first: 0 }, { itemKey: "q-12" })).toMatchObject({ nodes: [], total: 1 });
    expect(await list({ offset: 1 }, { itemKey: "q-12" })).toMatchObject({ nodes: [], total: 1 });
    expect(await list({}, { itemKey: "none" })).toMatchObject({ nodes: [], total: 0 });
  });

  it.each([
    ["first", { first: 101 }],
    ["first", { first: -1 }],
    ["last", { last: 1, first: 1 }],
    ["after", { after: "nonsense" }],
    ["after", { last: 1, after: "cjEucS0xMA" }],
    ["before", { before: "cjEucS0xMA" }],
    ["offset", { offset: 1, after: "cjEucS0xMA" }],
    ["offset", { offset: 100_001 }],
  ])("rejects an invalid %s", async (field, page) => {
    await expect(list(page)).rejects.toMatchObject({ code: "validation_failed", details: { field } });
  });

  it("rejects an unknown run", async () => {
    const none = { runId: crypto.randomUUID() };
    expect(await getErrorCode(listEvalResults(scene.reporter, {}, none))).toBe("not_found");
  });
});
