import type { AppendContent } from "./events.ts";

/** Combines the appends of several parts of a transaction, in order. */
export function mergeAppends(...parts: readonly AppendContent[]): Required<AppendContent> {
  return {
    events: parts.flatMap(({ events }) => events),
    totals: parts.flatMap(({ totals }) => totals ?? []),
    conversations: parts.flatMap(({ conversations }) => conversations ?? []),
    audit: parts.flatMap(({ audit }) => audit ?? []),
    spans: parts.flatMap(({ spans }) => spans ?? []),
    revocations: parts.flatMap(({ revocations }) => revocations ?? []),
  };
}
