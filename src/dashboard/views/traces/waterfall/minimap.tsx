import { type PointerEvent, useMemo, useState } from "react";
import type { SpanTree } from "../tree/build-tree.ts";
import { MINIMAP, drawMinimap } from "../tree/draw-minimap.ts";
import type { TimeWindow } from "../tree/time-window.ts";

export type MinimapProps = {
  tree: SpanTree;
  /** The whole of the trace. */
  extent: TimeWindow;
  /** What the bars show. */
  window: TimeWindow;
  onZoom: (window: TimeWindow) => void;
};

/** A drag over less than this share of the width is a click. */
const LEAST = 0.01;

/** The whole trace in small. Dragging over it chooses what the bars show. */
export function Minimap({ tree, extent, window, onZoom }: MinimapProps) {
  const drawing = useMemo(() => drawMinimap(tree, extent), [tree, extent]);
  const [drag, setDrag] = useState<readonly [from: number, to: number] | null>(null);
  const shown = drag === null ? toShares(window, extent) : drag.toSorted((a, b) => a - b);
  const [from = 0, to = 1] = shown;

  function onPointerDown(event: PointerEvent<SVGSVGElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag([toShare(event), toShare(event)]);
  }

  function onPointerUp(): void {
    setDrag(null);
    if (drag === null || to - from < LEAST) return;
    const us = extent.toUs - extent.fromUs;
    onZoom({ fromUs: extent.fromUs + from * us, toUs: extent.fromUs + to * us });
  }

  const { columns, lanes } = MINIMAP;
  return (
    <svg
      className="traces-minimap"
      viewBox={`0 0 ${columns} ${lanes}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="The whole trace. Drag to zoom in."
      onPointerDown={onPointerDown}
      onPointerMove={(event) => drag !== null && setDrag([drag[0], toShare(event)])}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(null)}
    >
      <path className="traces-minimap-spans" d={drawing.spans} />
      <path className="traces-minimap-failures" d={drawing.failures} />
      <rect className="traces-minimap-outside" width={from * columns} height={lanes} />
      <rect className="traces-minimap-outside" x={to * columns} width={(1 - to) * columns} height={lanes} />
    </svg>
  );
}

/** Where the pointer is, from 0 to 1. */
function toShare({ clientX, currentTarget }: PointerEvent<SVGSVGElement>): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(Math.max((clientX - left) / width, 0), 1);
}

function toShares(window: TimeWindow, { fromUs, toUs }: TimeWindow): [from: number, to: number] {
  const us = toUs - fromUs;
  return [Math.max(0, (window.fromUs - fromUs) / us), Math.min(1, (window.toUs - fromUs) / us)];
}
