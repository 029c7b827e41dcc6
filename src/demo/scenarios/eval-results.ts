import type { EvalResult, EvalRun, EvalVerdict } from "../../db/generated/client.ts";
import type { Random } from "../random.ts";
import { pickMomentBetween } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import type { Suite } from "./suites.ts";

/** Builds the results of a run, up to its progress: one per judged item. */
export function buildResults(scenario: {
  world: DemoWorld;
  random: Random;
  status: EvalRun["status"];
  suite: Suite;
  evalRunId: string;
  startedAt: Date | null;
  finishedAt: Date | null;
}): EvalResult[] {
  const { world, random, status, suite, evalRunId, startedAt, finishedAt } = scenario;
  if (startedAt === null) return [];
  const whole = suite.items.length;
  const count = status === "completed" ? whole : random.whole(1, whole - 1);
  const until = finishedAt ?? world.end;
  return suite.items.slice(0, count).map(({ key, input, expected }, index) => {
    const outcome = random.chance(suite.passRate) ? "passed" : random.chance(0.8) ? "failed" : "errored";
    const createdAt = pickMomentBetween(startedAt, until, (index + 1) / (count + 1));
    const value = outcome === "passed" ? random.between(0.8, 1) : random.between(0.1, 0.6);
    return {
      workspaceId: world.workspaceId,
      evalRunId,
      itemKey: key,
      id: world.createId(`eval result ${evalRunId} ${key}`, createdAt),
      input: { text: input },
      expected: { text: expected },
      output:
        outcome === "errored" ? null : { text: outcome === "passed" ? expected : "Answered otherwise." },
      status: outcome,
      scores:
        outcome === "errored" ? [] : [{ name: suite.score, value: round(value), annotator_kind: "LLM" }],
      latencyMs: random.whole(420, 9_800),
      costUsd: round(random.between(0.0008, 0.031)),
      traceId: null,
      error: outcome === "errored" ? "The agent did not answer in 30 s." : null,
      createdAt,
    };
  });
}

/** Counts the results by status. */
export function countResults(
  results: readonly EvalResult[],
): Record<"total" | "passed" | "failed" | "errored", number> {
  function of(status: EvalResult["status"]): number {
    return results.filter((result) => result.status === status).length;
  }
  return { total: results.length, passed: of("passed"), failed: of("failed"), errored: of("errored") };
}

/** Summarizes the scores of a run. */
export function summarizeScores({ score }: Suite, results: readonly EvalResult[]): object[] {
  const values = results.flatMap(({ scores }) =>
    Array.isArray(scores) ? scores.map((each) => getValue(each)) : [],
  );
  if (values.length === 0) return [];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    { name: score, mean: round(mean), min: Math.min(...values), max: Math.max(...values), n: values.length },
  ];
}

/** Computes the verdict of a completed run by the suite's gate. */
export function getVerdict(
  status: EvalRun["status"],
  { minPassRate }: Suite,
  results: readonly EvalResult[],
): { verdict: EvalVerdict; reasons: string[] } {
  if (status !== "completed") return { verdict: "none", reasons: [] };
  const { passed, total } = countResults(results);
  const rate = passed / total;
  if (rate >= minPassRate) return { verdict: "passed", reasons: [] };
  return {
    verdict: "failed",
    reasons: [`pass_rate ${round(rate)} < ${minPassRate}`],
  };
}

function getValue(score: unknown): number {
  const holds = typeof score === "object" && score !== null && "value" in score;
  return holds && typeof score.value === "number" ? score.value : 0;
}

function round(value: number): number {
  return Number(value.toFixed(4));
}
