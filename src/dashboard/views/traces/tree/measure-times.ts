import { NONE, at } from "./at.ts";
import type { SpanColumns } from "./span-columns.ts";

/** When nodes started and ended, in microseconds since the trace started. */
export type Times = {
  startUs: Float64Array;
  /** Infinity while a node is open. */
  endUs: Float64Array;
  /** When the last thing happened that is known. */
  lastUs: number;
};

/** Measures nodes. A parent that has not arrived is as long as its children together. */
export function measureTimes({ start_us, duration_us }: SpanColumns, parent: Int32Array): Times {
  const spans = start_us.length;
  const startUs = new Float64Array(parent.length).fill(Infinity);
  const endUs = new Float64Array(parent.length).fill(-Infinity);
  let lastUs = 0;
  for (let node = 0; node < spans; node++) {
    const start = start_us[node] ?? 0;
    const duration = duration_us[node] ?? null;
    startUs[node] = start;
    endUs[node] = duration === null ? Infinity : start + duration;
    lastUs = Math.max(lastUs, start + (duration ?? 0));
  }
  for (let node = 0; node < spans; node++) {
    const above = at(parent, node);
    if (above === NONE || above < spans) continue;
    startUs[above] = Math.min(startUs[above] ?? 0, startUs[node] ?? 0);
    endUs[above] = Math.max(endUs[above] ?? 0, endUs[node] ?? 0);
  }
  return { startUs, endUs, lastUs };
}
