import type { Span } from "../../ui/chart/use-span.ts";

/** The same span in one step: each series has one value. */
export function toTotalSpan({ from, to }: Span): Span {
  return { from, to, step: (Date.parse(to) - Date.parse(from)) / 1000 };
}
