import { useNow } from "../../../ui/use-now.ts";
import type { SpanTree } from "../tree/build-tree.ts";

/** Longer after the last known moment of a trace, its open spans are not drawn further. */
const ALIVE_US = 3_600_000_000;

/** Up to where open spans are drawn, in microseconds since the trace started. They grow each second. */
export function useTraceNow({ lastUs, openCount }: SpanTree, startedAt: string): number {
  const nowUs = (useNow() - Date.parse(startedAt)) * 1000;
  const isAlive = openCount > 0 && nowUs > lastUs && nowUs - lastUs < ALIVE_US;
  return isAlive ? nowUs : lastUs;
}
