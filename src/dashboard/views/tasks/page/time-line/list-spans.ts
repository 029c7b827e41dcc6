import { type SpanTree, buildTree } from "../../../traces/tree/build-tree.ts";
import { findFailures } from "../../../traces/tree/find-nodes.ts";
import { getNodeName } from "../../../traces/tree/get-node-name.ts";
import type { TimeLineItem } from "./time-line-item.ts";
import type { TimeLineTrace } from "./time-line-query.ts";

/** The span that failed first, with no failed span below it: the others failed because of it. */
export type FirstError = { traceId: string; spanId: string; name: string; atMs: number };

/** Spans of a task's traces. */
export type TaskSpans = { items: TimeLineItem[]; hidden: number; firstError: FirstError | null };

/** The most spans that are shown. */
const SHOWN = 60;

/** What other parts of the time line say by themselves, and what says little. */
const UNSHOWN = new Set(["guardrail", "human", "other"]);

/** Lists the spans of traces that say what an agent did, and all that failed: the longest, if they are too many. */
export function listSpans(traces: readonly TimeLineTrace[]): TaskSpans {
  const found = traces.map((trace) => ({ trace, tree: buildTree(trace.skeleton) }));
  const spans = found.flatMap(({ trace, tree }) =>
    trace.skeleton.id.flatMap((_, node) => (isShown(tree, node) ? [toItem(trace, tree, node)] : [])),
  );
  const failedFirst = spans.toSorted((a, b) => rate(b) - rate(a));
  const count = traces.reduce((sum, { spanCount }) => sum + spanCount, 0);
  const errors = found.flatMap(({ trace, tree }) => findErrors(trace, tree));
  const [firstError = null] = errors.toSorted((a, b) => a.atMs - b.atMs);
  return { items: failedFirst.slice(0, SHOWN), hidden: count - Math.min(spans.length, SHOWN), firstError };
}

function isShown({ spans }: SpanTree, node: number): boolean {
  return spans.status[node] === "error" || !UNSHOWN.has(spans.op[node] ?? "other");
}

/** Failures come before all others, then what took longest. */
function rate({ chip, fromMs, toMs }: TimeLineItem): number {
  return chip === null ? (toMs ?? Number.MAX_SAFE_INTEGER) - fromMs : Infinity;
}

function toItem({ traceId, startedAt }: TimeLineTrace, tree: SpanTree, node: number): TimeLineItem {
  const spanId = tree.ids[node] ?? "";
  const startMs = Date.parse(startedAt);
  const [startUs, endUs] = [tree.startUs[node] ?? 0, tree.endUs[node] ?? 0];
  return {
    key: `${traceId} ${spanId}`,
    kind: "span",
    text: getNodeName(tree, node),
    href: `/traces/${traceId}?span=${spanId}`,
    chip: tree.spans.status[node] === "error" ? ["failed", "bad"] : null,
    fromMs: startMs + startUs / 1000,
    toMs: endUs === Infinity ? null : startMs + endUs / 1000,
  };
}

function findErrors(trace: TimeLineTrace, tree: SpanTree): FirstError[] {
  return findFailures(tree).flatMap((node) => {
    if (tree.failures[node] !== 1) return [];
    const { text: name, fromMs, toMs } = toItem(trace, tree, node);
    return [{ traceId: trace.traceId, spanId: tree.ids[node] ?? "", name, atMs: toMs ?? fromMs }];
  });
}
