import type { MapPosition } from "../parse-position.ts";

/** Maps positions in metres to pixels. */
export type MapView = {
  width: number;
  height: number;
  /** The size of a grid square, in metres and in pixels. */
  step: number;
  stepPx: number;
  /** Pixels per metre. */
  scale: number;
  /** Converts a position to pixels. */
  place: (at: Pick<MapPosition, "x" | "y">) => { x: number; y: number };
  /** Converts pixels to a position. */
  locate: (px: { x: number; y: number }) => Pick<MapPosition, "x" | "y">;
  columns: readonly number[];
  rows: readonly number[];
};

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const SMALLEST_M = 10;
const FEWEST_SQUARES = 4;
const MARGIN_PX = 28;
const MAX_HEIGHT_PX = 420;
const MIN_HEIGHT_PX = 180;

/**
 * Fits positions into a plot of a given width. Aligned to grid squares, so that it doesn't shift as robots
 * move.
 */
export function fitView(positions: readonly Pick<MapPosition, "x" | "y">[], width: number): MapView {
  const [xs, ys] = [positions.map(({ x }) => x), positions.map(({ y }) => y)];
  const span = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), SMALLEST_M);
  const step = STEPS.find((size) => span / size <= 8) ?? Math.ceil(span / 8);
  const [left, right] = findEdges(xs, step);
  const [bottom, top] = findEdges(ys, step);
  const margin = MAX_HEIGHT_PX - 2 * MARGIN_PX;
  const scale = Math.min((width - 2 * MARGIN_PX) / (right - left), margin / (top - bottom));
  const height = Math.max(MIN_HEIGHT_PX, (top - bottom) * scale + 2 * MARGIN_PX);
  const offset = { x: (width - (right - left) * scale) / 2, y: (height - (top - bottom) * scale) / 2 };
  function place({ x, y }: Pick<MapPosition, "x" | "y">): { x: number; y: number } {
    return { x: offset.x + (x - left) * scale, y: height - offset.y - (y - bottom) * scale };
  }
  function locate(px: { x: number; y: number }): Pick<MapPosition, "x" | "y"> {
    return { x: left + (px.x - offset.x) / scale, y: bottom + (height - offset.y - px.y) / scale };
  }
  const stepPx = step * scale;
  return {
    width,
    height,
    step,
    stepPx,
    scale,
    place,
    locate,
    columns: listGridLines(offset.x % stepPx, width, stepPx),
    rows: listGridLines((height - offset.y) % stepPx, height, stepPx),
  };
}

/** The range of values, extended to whole squares. A single value gets a few squares around it. */
function findEdges(values: readonly number[], step: number): [number, number] {
  const low = Math.floor(Math.min(...values) / step);
  const high = Math.ceil(Math.max(...values) / step);
  const missing = Math.max(0, FEWEST_SQUARES - (high - low));
  const below = Math.ceil(missing / 2);
  return [(low - below) * step, (high + missing - below) * step];
}

function listGridLines(first: number, end: number, step: number): number[] {
  return Array.from(
    { length: Math.max(0, Math.ceil((end - first) / step)) },
    (_none, at) => first + at * step,
  );
}
