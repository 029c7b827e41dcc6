import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEvalRun } from "../../../src/domain/eval-runs/create-eval-run.ts";
import { type EvalGate, evaluateGate } from "../../../src/domain/eval-runs/eval-gate.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { EVAL_ACTS, anotherRun, completeWith, createEvalScene, items } from "../../support/eval-scene.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { runs } from "../../support/property-runs.ts";

let server: TestServer;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.createWorkspace());
});

afterAll(() => server.close());

/** A run with these counts and means. */
function toJudgeInput(
  [passed, failed, errored, skipped]: [number, number, number, number],
  { means = {}, regressions = null }: { means?: Record<string, number>; regressions?: number | null } = {},
) {
  const scoreSummaries = Object.entries(means).map(([name, mean]) => ({ name, mean, min: 0, max: 1, n: 1 }));
  const resultCounts = { total: passed + failed + errored + skipped, passed, failed, errored };
  return { resultCounts, scoreSummaries, regressions };
}

describe("judge", () => {
  const CASES: [string, EvalGate | null, ReturnType<typeof toJudgeInput>, string[] | "none"][] = [
    ["gives no verdict without a gate", null, toJudgeInput([0, 9, 0, 0]), "none"],
    ["passes at exactly the rate", { min_pass_rate: 0.95 }, toJudgeInput([95, 5, 0, 0]), []],
    ["fails below it", { min_pass_rate: 0.95 }, toJudgeInput([91, 6, 3, 0]), ["pass_rate 0.91 < 0.95"]],
    ["ignores skipped results in the rate", { min_pass_rate: 1 }, toJudgeInput([9, 0, 0, 91]), []],
    [
      "treats the rate of no results as 0",
      { min_pass_rate: 0.1 },
      toJudgeInput([0, 0, 0, 5]),
      ["pass_rate 0 < 0.1"],
    ],
    [
      "truncates digits",
      { min_pass_rate: 0.5 },
      toJudgeInput([49_999, 50_001, 0, 0]),
      ["pass_rate 0.4999 < 0.5"],
    ],
    [
      "passes with the allowed number of regressions",
      { max_regressions: 2 },
      toJudgeInput([1, 1, 0, 0], { regressions: 2 }),
      [],
    ],
    [
      "fails with more",
      { max_regressions: 0 },
      toJudgeInput([1, 1, 0, 0], { regressions: 2 }),
      ["2 regressions > 0"],
    ],
    [
      "counts a single one",
      { max_regressions: 0 },
      toJudgeInput([1, 1, 0, 0], { regressions: 1 }),
      ["1 regression > 0"],
    ],
    [
      "passes at a score's exact mean",
      { min_scores: { exact: 0.8 } },
      toJudgeInput([1, 0, 0, 0], { means: { exact: 0.8 } }),
      [],
    ],
    [
      "fails with a lower mean, and with a missing score",
      { min_scores: { exact_match: 0.8, tone: 0 } },
      toJudgeInput([1, 0, 0, 0], { means: { exact_match: 0.7 } }),
      ["score exact_match 0.7 < 0.8", "score tone is missing"],
    ],
    [
      "reports every rule",
      { min_pass_rate: 0.95, max_regressions: 0, min_scores: { exact: 1 } },
      toJudgeInput([91, 9, 0, 0], { regressions: 2, means: { exact: 0.5 } }),
      ["pass_rate 0.91 < 0.95", "2 regressions > 0", "score exact 0.5 < 1"],
    ],
  ];

  it.each(CASES)("%s", (...[, gate, run, expected]) => {
    const isNone = expected === "none";
    expect(evaluateGate(gate, run)).toEqual({
      verdict: isNone ? "none" : expected.length === 0 ? "passed" : "failed",
      reasons: isNone ? [] : expected,
    });
  });

  it("reports that regressions were not checked without a baseline", () => {
    const unchecked = "max_regressions was not checked: the run has no baseline";
    const run = toJudgeInput([91, 9, 0, 0]);
    expect(evaluateGate({ max_regressions: 0 }, run)).toEqual({ verdict: "passed", reasons: [unchecked] });
    expect(evaluateGate({ max_regressions: 0, min_pass_rate: 0.95 }, run)).toEqual({
      verdict: "failed",
      reasons: ["pass_rate 0.91 < 0.95", unchecked],
    });
  });

  it("passes exactly if the rate is reached, and reports correct numbers", () => {
    const property = fc.property(
      fc.nat(2000),
      fc.nat(2000),
      fc.integer({ min: 0, max: 10_000 }),
      (...random) => {
        const [passed, failed, tenThousandths] = random;
        fc.pre(passed + failed > 0);
        const least = tenThousandths / 10_000;
        const { verdict, reasons } = evaluateGate(
          { min_pass_rate: least },
          toJudgeInput([passed, failed, 0, 0]),
        );
        expect(verdict).toBe(passed / (passed + failed) >= least ? "passed" : "failed");
        for (const reason of reasons) {
          const [, shown, wanted] = /^pass_rate (\S+) < (\S+)$/.exec(reason) ?? [];
          expect(Number(shown)).toBeLessThan(Number(wanted));
        }
      },
    );
    fc.assert(property, { numRuns: runs(500) });
  });
});

describe("completeEvalRun", () => {
  const gate = { minPassRate: 0.5, maxRegressions: 0, minScores: { exact: 0.5 } };

  it("applies the gate and the baseline", async () => {
    const baseline = await createEvalScene(server, workspaceId, { gate: { minPassRate: 0.5 } });
    const results = items({ a: "passed", b: "passed", c: "failed" });
    expect(await completeWith(baseline, results)).toMatchObject({ verdict: "passed", verdictReasons: [] });
    const next = await anotherRun(baseline, { gate, baselineRunId: baseline.id });
    expect(await completeWith(next, items({ a: "passed", b: "errored", c: "skipped" }))).toMatchObject({
      verdict: "failed",
      verdictReasons: ["1 regression > 0", "score exact is missing"],
      resultCounts: { total: 3, passed: 1, failed: 0, errored: 1 },
    });
  });

  it.each([
    [Array.from({ length: 10 }, () => 0.1), 0.1],
    [[0.6, 0.7, 0.8], 0.7],
    [[5e-324, 0], 0],
    [[1e12, 1e12], 1e12],
  ])("lets a mean of %j reach %d", async (values, least) => {
    const scene = await createEvalScene(server, workspaceId, { gate: { minScores: { s: least } } });
    const results = values.map((value, index) => ({
      ...{ itemKey: `q-${index}`, status: "passed" as const },
      scores: [{ name: "s", value }],
    }));
    expect(await completeWith(scene, results)).toMatchObject({
      ...{ verdict: "passed", verdictReasons: [], scoreSummaries: [{ mean: least, n: values.length }] },
    });
  });

  it("gives no verdict without a gate or rules", async () => {
    for (const fields of [{}, { gate: {} }, { gate: { minScores: {} } }]) {
      const scene = await createEvalScene(server, workspaceId, fields);
      expect(await completeWith(scene, items({ a: "failed" }))).toMatchObject({
        gate: null,
        verdict: "none",
      });
    }
  });

  it("rejects callers without the scope", async () => {
    const scene = await createEvalScene(server, workspaceId);
    await EVAL_ACTS.addResults(scene);
    const viewer = userCtx(server, workspaceId, "viewer");
    const narrow = { ...scene, reporter: viewer, operator: viewer };
    for (const act of ["addResults", "complete", "cancel", "fail"] as const) {
      expect(await getErrorCode(Promise.resolve(EVAL_ACTS[act](narrow))), act).toBe("forbidden");
    }
    const { reporter } = scene;
    if (reporter.actor.type === "agent") reporter.actor = { ...reporter.actor, scopes: new Set() };
    for (const act of ["addResults", "complete", "fail"] as const) {
      expect(await getErrorCode(Promise.resolve(EVAL_ACTS[act](scene))), act).toBe("insufficient_scope");
    }
    expect(await getErrorCode(createEvalRun(reporter, { suite: "a", name: "b" }))).toBe("insufficient_scope");
  });
});

describe("createEvalRun", () => {
  it("stores the given fields", async () => {
    const ctx = server.systemCtx(workspaceId);
    const agentId = await insertTestAgent(ctx);
    const given = {
      dataset: { name: "orders", version: null },
      source: { commit: "abc", ciUrl: "https://ci/1" },
    };
    const run = await createEvalRun(ctx, {
      suite: " support ",
      name: "One",
      agentId,
      agentVersion: "1",
      ...given,
    });
    expect(run).toMatchObject({
      ...{ suite: "support", status: "queued", agentId, agentVersion: "1", verdict: "none", error: null },
      dataset: { name: "orders" },
      source: { commit: "abc", ci_url: "https://ci/1" },
    });
    expect(run.dataset).not.toHaveProperty("version");
  });

  it("accepts only a completed run of the suite as baseline", async () => {
    const running = await createEvalScene(server, workspaceId);
    await EVAL_ACTS.addResults(running);
    const { reporter, suite } = running;
    const input = { suite, name: "Next" };
    const other = await createEvalScene(server, workspaceId);
    await completeWith(other, items({ a: "passed" }));
    for (const baselineRunId of [running.id, other.id, crypto.randomUUID(), "newest"]) {
      await expect(createEvalRun(reporter, { ...input, baselineRunId })).rejects.toMatchObject({
        ...{ code: "validation_failed", details: { field: "baselineRunId" } },
      });
    }
  });

  const base = { suite: "support", name: "One" };
  it.each([
    ["suite", { suite: "" }],
    ["suite", { suite: "x".repeat(101) }],
    ["name", { name: "\u200b" }],
    ["agentId", { agentId: crypto.randomUUID() }],
    ["gate.minPassRate", { gate: { minPassRate: 1.01 } }],
    ["gate.minPassRate", { gate: { minPassRate: Number.NaN } }],
    ["gate.maxRegressions", { gate: { maxRegressions: -1 } }],
    ["gate.maxRegressions", { gate: { maxRegressions: 0.5 } }],
    ["gate.minScores.exact", { gate: { minScores: { exact: 1e13 } } }],
    [
      "gate.minScores",
      { gate: { minScores: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`s${i}`, 1])) } },
    ],
    ["dataset.name", { dataset: { name: "" } }],
    ["source.ciUrl", { source: { ciUrl: "javascript:alert(1)" } }],
    ["metadata", { metadata: { text: "x".repeat(17_000) } }],
  ])("rejects an invalid %s", async (field, fields) => {
    await expect(createEvalRun(server.systemCtx(workspaceId), { ...base, ...fields })).rejects.toMatchObject({
      ...{ code: "validation_failed", details: { field } },
    });
  });
});
