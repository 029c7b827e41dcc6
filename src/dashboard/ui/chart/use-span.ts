import { useNow } from "../use-now.ts";
import { WINDOWS, type WindowName } from "./windows.ts";

/** Arguments of a chart's query: whole steps, up to the current one. */
export type Span = { from: string; to: string; step: number };

/** The span of a window, updated with each step. */
export function useSpan(window: WindowName): Span {
  return getSpan(window, useNow());
}

/** The span of a window at a time, in milliseconds since 1970. */
export function getSpan(window: WindowName, now: number): Span {
  const { stepSeconds, steps } = WINDOWS[window];
  const stepMs = stepSeconds * 1000;
  const to = Math.ceil(now / stepMs) * stepMs;
  return {
    from: new Date(to - steps * stepMs).toISOString(),
    to: new Date(to).toISOString(),
    step: stepSeconds,
  };
}
