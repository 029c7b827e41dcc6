/** Parses a run's score summaries. @returns the mean of each score, by its name. */
export function parseScoreMeans(summaries: unknown): ReadonlyMap<string, number> {
  const means = new Map<string, number>();
  const list: readonly unknown[] = Array.isArray(summaries) ? summaries : [];
  for (const summary of list) {
    const known = typeof summary === "object" && summary !== null ? summary : {};
    const { name, mean }: Record<string, unknown> = { ...known };
    if (typeof name === "string" && typeof mean === "number") means.set(name, mean);
  }
  return means;
}
