import { toWords } from "../../../ui/words.ts";
import { type MapView, fitView } from "./fit-view.ts";
import { type FloorPlan, listCorners } from "./floor-plans.ts";
import { PlanImage } from "./plan-image.tsx";
import { placeLabels } from "./place-labels.ts";
import "./map.css";
import type { PlacedRobot } from "./placed-robot.ts";
import type { MapPosition } from "../parse-position.ts";
import { useRef, type RefObject, useEffect, useState } from "react";
import { Link } from "wouter";

export type MapPlotProps = {
  mapId: string;
  robots: readonly PlacedRobot[];
  plan: FloorPlan | null;
  /** A place to mark. */
  target?: Pick<MapPosition, "x" | "y"> | null;
  /** Called with the place of a click. The robots are no links then. */
  onPick?: (at: Pick<MapPosition, "x" | "y">) => void;
};

/** Robots on one map from above: x to the right, y up. */
export function MapPlot(props: MapPlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const view =
    width === null
      ? null
      : fitView(
          [...props.robots.map(({ at }) => at), ...(props.plan === null ? [] : listCorners(props.plan))],
          width,
        );
  return <div ref={frame}>{view !== null && <Plot {...props} view={view} />}</div>;
}

type PlotProps = MapPlotProps & { view: MapView };

function Plot({ mapId, robots, plan, view, target = null, onPick }: PlotProps) {
  const labels = placeLabels(robots, view);
  const isPicked = onPick !== undefined;
  return (
    <svg
      className={isPicked ? "robots-plot robots-picked" : "robots-plot"}
      role="group"
      aria-label={`Robots on ${mapId}`}
      width={view.width}
      height={view.height}
      viewBox={`0 0 ${view.width} ${view.height}`}
      onClick={({ nativeEvent: { offsetX, offsetY } }) => onPick?.(view.locate({ x: offsetX, y: offsetY }))}
    >
      {plan !== null && <PlanImage plan={plan} view={view} />}
      <Grid view={view} />
      {robots.map((robot) => (
        <Mark
          key={robot.uuid}
          robot={robot}
          view={view}
          side={labels.get(robot.uuid) ?? null}
          isLink={!isPicked}
        />
      ))}
      {target !== null && <Target {...view.place(target)} />}
    </svg>
  );
}

function Target({ x, y }: { x: number; y: number }) {
  return <path className="robots-target" d={`M${x - 9} ${y}h18M${x} ${y - 9}v18`} />;
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

type MarkProps = { robot: PlacedRobot; view: MapView; side: "left" | "right" | null; isLink: boolean };

function Mark({ robot: { uuid, name, status, at }, view, side, isLink }: MarkProps) {
  const { x, y } = view.place(at);
  const where = `at ${at.x.toFixed(1)} m, ${at.y.toFixed(1)} m`;
  const label = `${name}, ${toWords(status)}, ${where}${at.isLocalized ? "" : ", not localized"}`;
  const look = `robots-${status.toLowerCase()}`;
  const content = (
    <>
      <title>{label}</title>
      <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
        {status === "ERROR" && <circle className="robots-ring" r={RADIUS + 5} />}
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
    </>
  );
  if (!isLink) return <g className={look}>{content}</g>;
  return (
    <Link href={`/robots/${uuid}`} className={look} aria-label={label}>
      {content}
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
