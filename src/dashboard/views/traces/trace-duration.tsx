import { useNow } from "../../ui/use-now.ts";
import { formatDuration } from "../../ui/words.ts";
import { formatMicroseconds } from "./format-microseconds.ts";

export type TraceTimes = { startedAt: string; endedAt: string | null };

/** How long a trace took, or has been open. */
export function TraceDuration({ trace: { startedAt, endedAt } }: { trace: TraceTimes }) {
  const startMs = Date.parse(startedAt);
  if (endedAt === null) return <OpenSince startMs={startMs} />;
  return <span className="nowrap">{formatMicroseconds((Date.parse(endedAt) - startMs) * 1000)}</span>;
}

function OpenSince({ startMs }: { startMs: number }) {
  const seconds = (useNow() - startMs) / 1000;
  return <span className="soft nowrap">{formatDuration(seconds)} so far</span>;
}
