/** Number of results by status. */
export type ShownResultCounts = {
  total: number;
  passed: number;
  failed: number;
  errored: number;
  skipped: number;
};

/** Parses a run's counts. */
export function parseResultCounts(counts: unknown): ShownResultCounts {
  const known: Record<string, unknown> = typeof counts === "object" && counts !== null ? { ...counts } : {};
  function numberAt(name: string): number {
    const value = known[name];
    return typeof value === "number" ? value : 0;
  }
  const [total, passed, failed, errored] = ["total", "passed", "failed", "errored"].map(numberAt);
  const judged = { total: total ?? 0, passed: passed ?? 0, failed: failed ?? 0, errored: errored ?? 0 };
  return { ...judged, skipped: judged.total - judged.passed - judged.failed - judged.errored };
}

/** Passed results as a percentage of those not skipped, or "–" if there are none. */
export function formatPassRate({ total, skipped, passed }: ShownResultCounts): string {
  const judged = total - skipped;
  return judged === 0 ? "–" : `${Math.round((passed / judged) * 1000) / 10} %`;
}
