import type { AppendContent } from "./events.ts";

/** What several parts of a transaction have to tell, in their order. */
export function mergeAppends(...parts: readonly AppendContent[]): Required<AppendContent> {
  return {
    events: parts.flatMap(({ events }) => events),
    totals: parts.flatMap(({ totals }) => totals ?? []),
    conversations: parts.flatMap(({ conversations }) => conversations ?? []),
    audit: parts.flatMap(({ audit }) => audit ?? []),
    revocations: parts.flatMap(({ revocations }) => revocations ?? []),
  };
}
