import { at } from "./at.ts";
import type { SpanTree } from "./build-tree.ts";
import { type TimeWindow, placeBar } from "./time-window.ts";

/** The size of the drawing; it is stretched to what there is room for. */
export const MINIMAP = { columns: 400, lanes: 40 } as const;

/** Paths of a small drawing of all spans, of which each lane shows several. */
export type Minimap = { spans: string; failures: string };

/** Draws all spans of a trace. Its cost is linear in them, and that of the paths is bounded. */
export function drawMinimap(tree: SpanTree, window: TimeWindow): Minimap {
  const lanes = Math.min(MINIMAP.lanes, tree.order.length);
  const spans = createGrid();
  const failures = createGrid();
  for (const [place, node] of tree.order.entries()) {
    const bar = placeBar(tree, node, { ...window, nowUs: window.toUs });
    if (bar === null) continue;
    const lane = Math.floor((place * lanes) / tree.order.length);
    mark(tree.spans.status[node] === "error" ? failures : spans, lane, bar);
  }
  return { spans: toPath(spans, lanes), failures: toPath(failures, lanes) };
}

/** How many bars begin, less those that end, in each cell. A lane has a cell more, where the last ones end. */
function createGrid(): Int32Array {
  return new Int32Array((MINIMAP.columns + 1) * MINIMAP.lanes);
}

function mark(grid: Int32Array, lane: number, { left, width }: { left: number; width: number }): void {
  const { columns } = MINIMAP;
  const from = Math.min(Math.floor((left / 100) * columns), columns - 1);
  const to = Math.min(Math.max(Math.ceil(((left + width) / 100) * columns), from + 1), columns);
  const row = lane * (columns + 1);
  grid[row + from] = at(grid, row + from) + 1;
  grid[row + to] = at(grid, row + to) - 1;
}

function toPath(grid: Int32Array, lanes: number): string {
  const runs: string[] = [];
  const height = MINIMAP.lanes / Math.max(lanes, 1);
  for (let lane = 0; lane < lanes; lane++) {
    let [bars, from] = [0, 0];
    for (let column = 0; column <= MINIMAP.columns; column++) {
      const before = bars;
      bars += at(grid, lane * (MINIMAP.columns + 1) + column);
      if (before === 0 && bars > 0) from = column;
      if (before > 0 && bars === 0)
        runs.push(`M${from} ${lane * height}h${column - from}v${height * 0.7}H${from}z`);
    }
  }
  return runs.join("");
}
