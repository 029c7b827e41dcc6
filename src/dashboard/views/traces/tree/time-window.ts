import type { SpanTree } from "./build-tree.ts";

/** What of a trace's time is shown, in microseconds since it started. */
export type TimeWindow = { fromUs: number; toUs: number };

/** Where a bar is, in percent of the width. */
export type Place = { left: number; width: number };

/** The whole of a trace. `nowUs` is the end of what is open. */
export function getExtent({ startUs, lastUs }: SpanTree, nowUs: number): TimeWindow {
  const fromUs = startUs.reduce((least, start) => Math.min(least, start), 0);
  return { fromUs, toUs: Math.max(lastUs, nowUs, fromUs + 1) };
}

/** Where a node's bar is. Null if it is outside of the window. */
export function placeBar(
  { startUs, endUs }: Pick<SpanTree, "startUs" | "endUs">,
  node: number,
  { fromUs, toUs, nowUs }: TimeWindow & { nowUs: number },
): Place | null {
  const start = startUs[node] ?? 0;
  const end = Math.max(start, Math.min(endUs[node] ?? 0, Math.max(nowUs, start)));
  if (start > toUs || end < fromUs) return null;
  const [left, right] = [start, end].map((us) => toPercent(us, { fromUs, toUs }));
  return { left: left ?? 0, width: (right ?? 0) - (left ?? 0) };
}

function toPercent(us: number, { fromUs, toUs }: TimeWindow): number {
  return (Math.min(Math.max(us - fromUs, 0), toUs - fromUs) / (toUs - fromUs)) * 100;
}

const SECOND_US = 1_000_000;
const DAY_US = 86_400 * SECOND_US;
/** Round steps in microseconds. */
const STEPS_US = [
  ...[1, 10, 100, 1000, 10_000, 100_000, SECOND_US].flatMap((unit) => [unit, 2 * unit, 5 * unit]),
  ...[10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 21_600, 43_200].map(
    (seconds) => seconds * SECOND_US,
  ),
];
const MOST_TICKS = 5;

/** Round times within a window, with where they are in percent. */
export function listTicks(window: TimeWindow): { us: number; left: number }[] {
  const least = (window.toUs - window.fromUs) / MOST_TICKS;
  const step = STEPS_US.find((us) => us >= least) ?? Math.ceil(least / DAY_US) * DAY_US;
  const ticks: { us: number; left: number }[] = [];
  for (let us = Math.ceil(window.fromUs / step) * step; us <= window.toUs; us += step) {
    ticks.push({ us, left: toPercent(us, window) });
  }
  return ticks;
}
