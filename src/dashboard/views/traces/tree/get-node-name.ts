import type { SpanTree } from "./build-tree.ts";

/** The name of a span, or that it is a parent that has not arrived. */
export function getNodeName({ spans, ids }: SpanTree, node: number): string {
  if (node >= spans.id.length) return `missing parent ${ids[node] ?? ""}`;
  const name = spans.names[spans.name[node] ?? 0] ?? "";
  return name === "" ? "unnamed" : name;
}
