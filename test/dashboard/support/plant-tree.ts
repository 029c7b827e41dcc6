import fc from "fast-check";
import { type SpanTree, buildTree } from "../../../src/dashboard/views/traces/tree/build-tree.ts";
import type { SpanColumns } from "../../../src/dashboard/views/traces/tree/span-columns.ts";
import { ALL_OPEN, type Folding, listRows } from "../../../src/dashboard/views/traces/tree/folding.ts";

/** A span of 10 µs, unless it says otherwise. */
export type TestSpan = {
  id: string;
  parent?: string | null;
  name?: string;
  start?: number;
  /** Null while it is open. */
  duration?: number | null;
  failed?: boolean;
  model?: string;
  tokens?: number;
};

/** The columns of spans. */
export function toColumns(spans: readonly TestSpan[]): SpanColumns {
  const names = [...new Set(spans.map(({ name = "work" }) => name))];
  const models = [...new Set(spans.flatMap(({ model = [] }) => model))];
  return {
    ...{ names, models },
    model: spans.map(({ model }) => (model === undefined ? null : models.indexOf(model))),
    tokens: spans.map(({ tokens = null }) => tokens),
    cost_usd: spans.map(() => null),
    sum: spans.map(() => false),
    id: spans.map(({ id }) => id),
    parent: spans.map(({ parent = null }) => parent),
    name: spans.map(({ name = "work" }) => names.indexOf(name)),
    op: spans.map(() => "other"),
    service: spans.map(() => false),
    status: spans.map(({ failed = false }) => (failed ? "error" : "unset")),
    start_us: spans.map(({ start = 0 }) => start),
    duration_us: spans.map(({ duration = 10 }) => duration),
  };
}

/** The tree of spans. */
export function plant(spans: readonly TestSpan[]): SpanTree {
  return buildTree(toColumns(spans));
}

/** The nodes from top to bottom, each at its depth. */
export function draw(tree: SpanTree, folding: Folding = ALL_OPEN): string[] {
  return [...listRows(tree, folding)].map((node) => `${" ".repeat(tree.depth[node] ?? 0)}${tree.ids[node]}`);
}

/** Any spans: with roots, parents that are missing, and parents in circles. */
export const anySpans = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(`${id}`),
        parent: fc.option(fc.integer({ min: 0, max: 60 }).map(String)),
        start: fc.integer({ min: 0, max: 1000 }),
        duration: fc.option(fc.integer({ min: 0, max: 1000 })),
        failed: fc.boolean(),
      }),
    ),
  ),
);
