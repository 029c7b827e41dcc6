import type { EvalResult } from "../../../db/generated/client.ts";
import type { EvalResultStatus } from "../../../db/generated/enums.ts";
import type { EvalResultInput } from "../../eval-runs/eval-result-input.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { toTraceId } from "../trace-ids.ts";
import type { GivenScore } from "./trace-score.ts";

/** The evaluations of an item of a run. */
export type EvaluatedItem = {
  runId: string;
  itemKey: string;
  /** The trace's UUID. */
  traceId: string;
  scores: readonly GivenScore[];
};

type EvalScore = EvalResultInput["scores"][number];

/** What evaluators say of an answer, as semantic conventions name it. */
const VERDICTS: ReadonlyMap<string, "passed" | "failed"> = new Map([
  ...["pass", "passed", "correct"].map((label) => [label, "passed"] as const),
  ...["fail", "failed", "incorrect"].map((label) => [label, "failed"] as const),
]);

/**
 * Adds evaluations to an item's result. One that fails makes it fail; a status that was reported otherwise stays.
 *
 * @returns null while nothing says whether the item passed.
 */
export function mergeEvaluations(
  { itemKey, traceId, scores }: EvaluatedItem,
  earlier: EvalResult | null,
): EvalResultInput | null {
  const before = earlier === null ? [] : readScores(earlier);
  const merged = new Map(before.map((score) => [score.name, score]));
  for (const score of scores.flatMap((one) => toEvalScore(one) ?? [])) {
    if (merged.has(score.name) || merged.size < LIMITS.scores) merged.set(score.name, score);
  }
  const all = [...merged.values()];
  const isReported = earlier !== null && earlier.status !== findStatus(before);
  const status = isReported ? earlier.status : findStatus(all);
  if (status === null) return null;
  return {
    itemKey,
    status,
    scores: all,
    traceId: earlier?.traceId ?? toTraceId(traceId),
    ...(earlier !== null && { input: earlier.input, output: earlier.output ?? undefined }),
    ...(earlier !== null && { expected: earlier.expected ?? undefined, latencyMs: earlier.latencyMs }),
    ...(earlier !== null && { costUsd: earlier.costUsd, error: earlier.error }),
  };
}

function findStatus(scores: readonly EvalScore[]): EvalResultStatus | null {
  const verdicts = new Set(scores.map(({ label }) => VERDICTS.get(label?.toLowerCase() ?? "")));
  if (verdicts.has("failed")) return "failed";
  return verdicts.has("passed") ? "passed" : null;
}

/** Null for what is neither a number nor a verdict. */
function toEvalScore({ name, value, label, comment }: GivenScore): EvalScore | null {
  const verdict = VERDICTS.get(label?.toLowerCase() ?? "");
  const number = value ?? (verdict === undefined ? null : Number(verdict === "passed"));
  return number === null
    ? null
    : { name, value: number, label, explanation: comment, annotatorKind: "CODE" as const };
}

/** As results are stored. */
type StoredScore = Omit<EvalScore, "annotatorKind"> & { annotator_kind?: EvalScore["annotatorKind"] };

function readScores({ scores }: EvalResult): EvalScore[] {
  // Only results' own scores are written there.
  return (scores as StoredScore[]).map(({ annotator_kind: annotatorKind, ...score }) => ({
    ...score,
    annotatorKind,
  }));
}
