import { toWords } from "../../../ui/words.ts";
import { type MapView, fitView } from "./fit-view.ts";
import { placeLabels } from "./place-labels.ts";
import type { PlacedRobot } from "./placed-robot.ts";
import { useRef, type RefObject, useEffect, useState } from "react";
import { Link } from "wouter";

/** Robots on one map from above: x to the right, y up. */
export function MapPlot({ mapId, robots }: { mapId: string; robots: readonly PlacedRobot[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const view =
    width === null
      ? null
      : fitView(
          robots.map(({ at }) => at),
          width,
        );
  return <div ref={frame}>{view !== null && <Plot mapId={mapId} robots={robots} view={view} />}</div>;
}

type PlotProps = { mapId: string; robots: readonly PlacedRobot[]; view: MapView };

function Plot({ mapId, robots, view }: PlotProps) {
  const labels = placeLabels(robots, view);
  return (
    <svg
      className="robots-plot"
      role="group"
      aria-label={`Robots on ${mapId}`}
      width={view.width}
      height={view.height}
      viewBox={`0 0 ${view.width} ${view.height}`}
    >
      <Grid view={view} />
      {robots.map((robot) => (
        <Mark key={robot.uuid} robot={robot} view={view} side={labels.get(robot.uuid) ?? null} />
      ))}
    </svg>
  );
}

function Grid({ view: { width, height, columns, rows, step, stepPx } }: { view: MapView }) {
  const foot = height - 10;
  return (
    <g aria-hidden="true">
      {columns.map((x) => (
        <line key={x} className="robots-grid" x1={x} x2={x} y1={0} y2={height} />
      ))}
      {rows.map((y) => (
        <line key={y} className="robots-grid" x1={0} x2={width} y1={y} y2={y} />
      ))}
      <path className="robots-scale" d={`M10 ${foot - 5}v5h${stepPx}v-5`} />
      <text className="robots-soft" x={16} y={foot - 6}>
        {step} m
      </text>
    </g>
  );
}

const RADIUS = 7;

type MarkProps = { robot: PlacedRobot; view: MapView; side: "left" | "right" | null };

function Mark({ robot: { uuid, name, status, at }, view, side }: MarkProps) {
  const { x, y } = view.place(at);
  const where = `at ${at.x.toFixed(1)} m, ${at.y.toFixed(1)} m`;
  const label = `${name}, ${toWords(status)}, ${where}${at.isLocalized ? "" : ", not localized"}`;
  return (
    <Link href={`/robots/${uuid}`} className={`robots-${status.toLowerCase()}`} aria-label={label}>
      <title>{label}</title>
      <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
        <g className={at.isLocalized ? undefined : "robots-unsure"}>
          <circle className="robots-mark" r={RADIUS} />
          {at.theta !== null && (
            <path
              className="robots-mark"
              d="M6 -5L15 0L6 5Z"
              // Angles are counterclockwise on the map and clockwise in SVG.
              transform={`rotate(${((-at.theta * 180) / Math.PI).toFixed(0)})`}
            />
          )}
        </g>
        {side !== null && (
          <text x={side === "left" ? -11 : 11} y={-9} textAnchor={side === "left" ? "end" : "start"}>
            {name}
          </text>
        )}
      </g>
    </Link>
  );
}

/** An element's width in pixels. Null until known. */
function useWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const place = element.current;
    if (place === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(place.clientWidth));
    watch.observe(place);
    return () => watch.disconnect();
  }, [element]);
  return width;
}
