import { useMemo, useRef, useState } from "react";
import { useUrlState } from "../../../data/use-url-state.ts";
import type { ShownTrace } from "../page/trace-query.ts";
import { SpanPanel } from "../span/span-panel.tsx";
import type { SpanTree } from "../tree/build-tree.ts";
import { type TimeWindow, getExtent } from "../tree/time-window.ts";
import { Legend } from "./legend.tsx";
import { Minimap } from "./minimap.tsx";
import { SpanRows } from "./span-rows.tsx";
import { TimeAxis } from "./time-axis.tsx";
import { Tools } from "./tools.tsx";
import { useRows } from "./use-rows.ts";
import { useTraceNow } from "./use-trace-now.ts";

/** The spans of a trace as a tree, each with a bar for its time. */
export function Waterfall({ trace, tree }: { trace: ShownTrace; tree: SpanTree }) {
  const { values, set } = useUrlState({ span: "" });
  const rows = useRows(tree, values.span);
  const [zoom, setZoom] = useState<TimeWindow | null>(null);
  const nowUs = useTraceNow(tree, trace.startedAt);
  const extent = useMemo(() => getExtent(tree, nowUs), [tree, nowUs]);
  const window = zoom ?? extent;
  const grid = useRef<HTMLDivElement>(null);
  const chosen = tree.nodes.get(values.span) ?? null;

  function choose(node: number): void {
    rows.goTo(node);
    set({ span: tree.ids[node] ?? "" });
  }

  /** What had the focus is in the panel that goes. */
  function focusRows(): void {
    grid.current?.focus({ preventScroll: true });
  }

  return (
    <div className="traces-split">
      <section className="card traces-waterfall" aria-label="Spans of the trace">
        <Tools {...{ tree, rows, grid }} onShowAll={zoom === null ? null : () => setZoom(null)} />
        <Minimap tree={tree} extent={extent} window={window} onZoom={setZoom} />
        <TimeAxis window={window} />
        <SpanRows {...{ grid, tree, rows, window, nowUs, chosen }} onChoose={choose} />
        <Legend tree={tree} />
      </section>
      {chosen !== null && (
        <SpanPanel
          key={values.span}
          {...{ traceId: trace.traceId, tree, node: chosen }}
          onZoom={setZoom}
          onChoose={(node) => {
            choose(node);
            focusRows();
          }}
          onClose={() => {
            set({ span: "" });
            focusRows();
          }}
        />
      )}
    </div>
  );
}
