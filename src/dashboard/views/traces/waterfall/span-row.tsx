import { formatCost } from "../../../ui/format-cost.ts";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount } from "../../../ui/words.ts";
import { formatMicroseconds } from "../format-microseconds.ts";
import { at } from "../tree/at.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import { type Folding, isLeaf, isOpen } from "../tree/folding.ts";
import { getNodeName } from "../tree/get-node-name.ts";
import { type TimeWindow, placeBar } from "../tree/time-window.ts";
import { TONES, getTone } from "./span-tone.ts";

export type SpanRowProps = {
  tree: SpanTree;
  node: number;
  folding: Folding;
  window: TimeWindow;
  nowUs: number;
  /** Its place among the rows. */
  index: number;
  /** Pixels. */
  top: number;
  isCurrent: boolean;
  isChosen: boolean;
};

/** The element that says which row is the current one. */
export function getRowId(node: number): string {
  return `span-${node}`;
}

/** Deeper spans move no further to the right. */
const DEEPEST = 16;

/** A span: its name at its depth, how long it took, what it used, and its bar. */
export function SpanRow(props: SpanRowProps) {
  const { tree, node, folding, index, top, isCurrent, isChosen } = props;
  const depth = at(tree.depth, node);
  const isFolder = !isLeaf(tree, node);
  return (
    <div
      id={getRowId(node)}
      className="traces-row traces-span"
      role="row"
      aria-rowindex={index + 1}
      aria-level={depth + 1}
      aria-expanded={isFolder ? isOpen(tree, folding, node) : undefined}
      aria-selected={isChosen}
      data-node={node}
      data-current={isCurrent || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div
        role="gridcell"
        className="traces-name"
        style={{ paddingLeft: `${Math.min(depth, DEEPEST) * 0.75}rem` }}
      >
        <Name {...props} />
      </div>
      <div role="gridcell" className="traces-took">
        <Took {...props} />
      </div>
      <div role="gridcell" className="traces-used">
        <Used {...props} />
      </div>
      <div role="gridcell" className="traces-time">
        <Bar {...props} />
      </div>
    </div>
  );
}

function Name({ tree, node, folding }: SpanRowProps) {
  const isFolder = !isLeaf(tree, node);
  const isFolded = isFolder && !isOpen(tree, folding, node);
  const tone = getTone(tree, node);
  const hidden = at(tree.weight, node) - 1;
  const failures = at(tree.failures, node) - (tone === "failed" ? 1 : 0);
  const name = toVisibleText(getNodeName(tree, node));
  return (
    <>
      <span className="traces-fold" data-fold={isFolder || undefined} aria-hidden="true">
        {isFolder && (isFolded ? "▸" : "▾")}
      </span>
      <span className="traces-mark" data-tone={tone} title={TONES[tone]} />
      <span className="visually-hidden">{TONES[tone]}: </span>
      <span className="traces-name-text" title={name}>
        {name}
      </span>
      {isFolded && <span className="small soft nowrap">+{hidden.toLocaleString("en")}</span>}
      {isFolded && failures > 0 && <span className="badge badge-bad">{formatCount(failures, "error")}</span>}
    </>
  );
}

function Took({ tree, node, nowUs }: SpanRowProps) {
  const start = tree.startUs[node] ?? 0;
  const end = tree.endUs[node] ?? 0;
  if (end !== Infinity) return formatMicroseconds(end - start);
  if (tree.spans.status[node] === "lost") return "lost";
  return <span className="traces-open">{formatMicroseconds(Math.max(0, nowUs - start))}+</span>;
}

/** Sums over calls within are softer than the calls. */
function Used({ tree: { spans }, node }: SpanRowProps) {
  const tokens = spans.tokens[node] ?? null;
  const costUsd = spans.cost_usd[node] ?? null;
  if (tokens === null && costUsd === null) return null;
  const isSum = spans.sum[node] === true;
  const model = spans.models[spans.model[node] ?? -1];
  const title = isSum ? "a sum over the calls within" : model;
  return (
    <span className={isSum ? "soft" : undefined} title={title}>
      {tokens !== null && <span>{formatCount(tokens, "token")}</span>}
      {tokens !== null && " · "}
      {costUsd === null ? <span className="soft">no price</span> : <span>{formatCost(costUsd)}</span>}
    </span>
  );
}

function Bar({ tree, node, window, nowUs }: SpanRowProps) {
  const place = placeBar(tree, node, { ...window, nowUs });
  if (place === null) return null;
  return (
    <div
      className="traces-bar"
      data-tone={getTone(tree, node)}
      data-open={tree.endUs[node] === Infinity || undefined}
      data-missing={node >= tree.spans.id.length || undefined}
      style={{ left: `${place.left}%`, width: `${place.width}%` }}
    />
  );
}
