/** The scores of one name in short: of the `n` results that have it. */
export type ScoreSummary = { name: string; mean: number; min: number; max: number; n: number };

/** Reads a run's score summaries. What is none is left out. */
export function scoreSummariesOf(summaries: unknown): ScoreSummary[] {
  return Array.isArray(summaries) ? summaries.filter(isSummary) : [];
}

function isSummary(value: unknown): value is ScoreSummary {
  if (typeof value !== "object" || value === null) return false;
  const fields: Record<string, unknown> = { ...value };
  const areNumbers = ["mean", "min", "max", "n"].every((name) => typeof fields[name] === "number");
  return typeof fields["name"] === "string" && areNumbers;
}
