import type { EvalResultStatus } from "../../src/db/generated/enums.ts";

/** Results of a run by item key. */
export type PlainRun = Record<string, EvalResultStatus>;

/** The items of a comparison. */
export type PlainComparison = Record<"regressions" | "improvements" | "added" | "removed", string[]> & {
  unchanged: number;
};

const isBad = (status: EvalResultStatus | undefined) => status === "failed" || status === "errored";

/** Compares two runs without a database, by the documented rules. */
export function comparePlainly(baseline: PlainRun, run: PlainRun): PlainComparison {
  const keys = [...new Set([...Object.keys(baseline), ...Object.keys(run)])].toSorted();
  const which = (rule: (from?: EvalResultStatus, to?: EvalResultStatus) => boolean) =>
    keys.filter((key) => rule(baseline[key], run[key]));
  const changed = {
    regressions: which((from, to) => from === "passed" && isBad(to)),
    improvements: which((from, to) => isBad(from) && to === "passed"),
    added: which((from) => from === undefined),
    removed: which((_from, to) => to === undefined),
  };
  return { ...changed, unchanged: keys.length - Object.values(changed).flat().length };
}
