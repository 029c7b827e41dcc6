import { z } from "zod";
import { fewMembers } from "../kernel/few-members.ts";
import { text, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { EvalTotals } from "./eval-totals.ts";

export function numberInRange({ min, max }: { min: number; max: number }) {
  return z.number().min(min).max(max);
}

const minScores = z.record(text(LIMITS.labelLength), numberInRange(LIMITS.scoreValue), {
  error: "must be an object of numbers",
});

/** The conditions for the verdict `passed`. */
export const gateShape = z.object({
  minPassRate: numberInRange({ min: 0, max: 1 }).nullish(),
  maxRegressions: wholeNumber({ min: 0, max: LIMITS.evalItems }).nullish(),
  minScores: fewMembers<z.input<typeof minScores>>(LIMITS.scores, "scores").pipe(minScores).nullish(),
});

/** A gate as a run stores it. */
export type EvalGate = {
  min_pass_rate?: number;
  max_regressions?: number;
  min_scores?: Record<string, number>;
};

/** Converts the given rules to a gate. Null if there are none: then there is no verdict. */
export function toGate(given: z.output<typeof gateShape> | null | undefined): EvalGate | null {
  const { minPassRate, maxRegressions, minScores } = given ?? {};
  const gate: EvalGate = {
    ...(typeof minPassRate === "number" && { min_pass_rate: minPassRate }),
    ...(typeof maxRegressions === "number" && { max_regressions: maxRegressions }),
    ...(minScores && Object.keys(minScores).length > 0 && { min_scores: minScores }),
  };
  return Object.keys(gate).length === 0 ? null : gate;
}

/** The values that a gate checks. `regressions` is null for a run without a baseline. */
export type GateInput = Pick<EvalTotals, "resultCounts" | "scoreSummaries"> & { regressions: number | null };

/**
 * Evaluates a run's gate. Skipped results don't count for the pass rate, which is 0 without other results.
 * Regressions need a baseline.
 *
 * @returns `none` without a gate; the reasons of a `failed` verdict, such as `pass_rate 0.91 < 0.95`, and
 *   rules that were not checked.
 */
export function evaluateGate(
  gate: EvalGate | null,
  input: GateInput,
): { verdict: "passed" | "failed" | "none"; reasons: string[] } {
  if (gate === null) return { verdict: "none", reasons: [] };
  const failures = [
    ...passRateReasons(gate, input),
    ...regressionReasons(gate, input),
    ...scoreReasons(gate, input),
  ];
  const verdict = failures.length === 0 ? "passed" : "failed";
  return { verdict, reasons: [...failures, ...uncheckedRules(gate, input)] };
}

/** Reports rules that could not be checked. */
function uncheckedRules({ max_regressions: most }: EvalGate, { regressions }: GateInput): string[] {
  if (most === undefined || regressions !== null) return [];
  return ["max_regressions was not checked: the run has no baseline"];
}

function passRateReasons({ min_pass_rate: least }: EvalGate, { resultCounts }: GateInput): string[] {
  const { passed, failed, errored } = resultCounts;
  const rate = passed / Math.max(1, passed + failed + errored);
  return least === undefined || rate >= least ? [] : [`pass_rate ${truncate(rate)} < ${least}`];
}

function regressionReasons({ max_regressions: most }: EvalGate, { regressions }: GateInput): string[] {
  if (most === undefined || regressions === null || regressions <= most) return [];
  return [`${regressions} ${regressions === 1 ? "regression" : "regressions"} > ${most}`];
}

function scoreReasons({ min_scores: least = {} }: EvalGate, { scoreSummaries }: GateInput): string[] {
  const wanted = Object.entries(least).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return wanted.flatMap(([name, min]) => {
    const summary = scoreSummaries.find((one) => one.name === name);
    if (summary === undefined) return [`score ${name} is missing`];
    return summary.mean >= min ? [] : [`score ${name} ${truncate(summary.mean)} < ${min}`];
  });
}

/** Four digits, truncated, so that a value below a bound never looks equal to it. */
function truncate(value: number): number {
  return Math.floor(value * 10_000) / 10_000;
}
