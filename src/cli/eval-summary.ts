import type { Schemas } from "../client/api-types.ts";

type Run = Schemas["EvalRun"];
type Comparison = Schemas["EvalComparison"];

/** How many regressions are named. The others are counted. */
const NAMED = 10;

/** Summarizes a run's result for people. */
export function evalSummary(run: Run, comparison: Comparison | null): string[] {
  const { total, passed, failed, errored } = run.result_counts;
  const skipped = total - passed - failed - errored;
  return [
    `Evaluation run ${run.id}: ${run.suite}, ${run.name}`,
    `  Results   ${total}: ${passed} passed, ${failed} failed, ${errored} errored, ${skipped} skipped`,
    ...scoreLines(run),
    ...(comparison === null ? [] : comparisonLines(comparison)),
    `  Verdict   ${run.verdict}`,
    ...run.verdict_reasons.map((reason) => `            ${reason}`),
  ];
}

function scoreLines({ score_summaries: summaries }: Run): string[] {
  // The API's shape: a name with its mean, minimum and maximum.
  const scores = summaries as { name: string; mean: number; min: number; max: number }[];
  return scores.map(
    ({ name, mean, min, max }) =>
      `  Score     ${name} ${formatShort(mean)} (${formatShort(min)} to ${formatShort(max)})`,
  );
}

function comparisonLines({ baseline_run_id: baseline, counts, ...compared }: Comparison): string[] {
  const { regressions, improvements, added, removed } = counts;
  const named = compared.regressions.slice(0, NAMED).map(({ item_key: key }) => key);
  const more = regressions > named.length ? ` and ${regressions - named.length} more` : "";
  const moved = compared.score_deltas.flatMap(({ name, delta }) =>
    delta === null || delta === 0 ? [] : [`${name} ${delta > 0 ? "+" : ""}${formatShort(delta)}`],
  );
  return [
    `  Baseline  ${baseline}: regressions ${regressions}, improvements ${improvements}, added ${added}, removed ${removed}`,
    ...(named.length === 0 ? [] : [`            regressed: ${named.join(", ")}${more}`]),
    ...(moved.length === 0 ? [] : [`            scores: ${moved.join(", ")}`]),
  ];
}

function formatShort(value: number): string {
  return String(Number(value.toFixed(4)));
}
