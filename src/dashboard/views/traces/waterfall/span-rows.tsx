import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useEffectEvent } from "react";
import { formatCount } from "../../../ui/words.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import type { TimeWindow } from "../tree/time-window.ts";
import { createRowActs } from "./create-row-acts.ts";
import { SpanRow, getRowId } from "./span-row.tsx";
import type { Rows } from "./use-rows.ts";

export type SpanRowsProps = {
  grid: RefObject<HTMLDivElement | null>;
  tree: SpanTree;
  rows: Rows;
  window: TimeWindow;
  /** The end of open spans. */
  nowUs: number;
  /** The node whose details are shown, or null. */
  chosen: number | null;
  onChoose: (node: number) => void;
};

const ROW_PX = 28;
const BEYOND = 10;

/** The rows of a waterfall. Renders only visible ones. The keys of a tree move between them; Enter chooses one. */
export function SpanRows({ grid, tree, rows, window, nowUs, chosen, onChoose }: SpanRowsProps) {
  const virtual = useVirtualizer({
    count: rows.shown.length,
    getScrollElement: () => grid.current,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
  });
  const items = virtual.getVirtualItems();
  const place = rows.node === null ? -1 : rows.shown.indexOf(rows.node);
  const show = useEffectEvent(() => place !== -1 && virtual.scrollToIndex(place));
  useEffect(() => void show(), [rows.way]);

  const isShown = items.some(({ index }) => index === place);
  return (
    <div
      ref={grid}
      className="traces-rows"
      role="treegrid"
      tabIndex={0}
      aria-label={formatCount(tree.spans.id.length, "span")}
      aria-rowcount={rows.shown.length}
      aria-activedescendant={isShown && rows.node !== null ? getRowId(rows.node) : undefined}
      {...createRowActs(tree, rows, onChoose)}
    >
      <div role="presentation" className="traces-all" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <SpanRow
            key={rows.shown[index]}
            {...{ tree, window, nowUs, top: start, index, folding: rows.folding }}
            node={rows.shown[index] ?? 0}
            isCurrent={index === place}
            isChosen={rows.shown[index] === chosen}
          />
        ))}
      </div>
    </div>
  );
}
