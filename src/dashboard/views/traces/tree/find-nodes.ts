import { at } from "./at.ts";
import type { SpanTree } from "./build-tree.ts";

/** The spans that failed, from top to bottom. */
export function findFailures({ order, spans }: SpanTree): number[] {
  return [...order].filter((node) => spans.status[node] === "error");
}

/** The nodes whose name has this text or whose id begins with it, from top to bottom. None for an empty text. */
export function findMatches({ order, spans, ids }: SpanTree, typed: string): number[] {
  const text = typed.trim().toLowerCase();
  if (text === "") return [];
  const found = new Set(
    spans.names.flatMap((name, place) => (name.toLowerCase().includes(text) ? [place] : [])),
  );
  return [...order].filter(
    (node) => found.has(spans.name[node] ?? -1) || ids[node]?.startsWith(text) === true,
  );
}

/** The first of some nodes below another one, or from the top again. Undefined if there are none. */
export function findNext(
  { rank }: SpanTree,
  nodes: readonly number[],
  after: number | null,
): number | undefined {
  const place = after === null ? -1 : at(rank, after);
  return nodes.find((node) => at(rank, node) > place) ?? nodes[0];
}
