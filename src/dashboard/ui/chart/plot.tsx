import { useIsDark } from "../look/theme.ts";
import type { ChartProps, Limit, Series } from "./chart-props.ts";
import { useEffect, useEffectEvent, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

type Numbers = Required<Pick<ChartProps, "times" | "series" | "limits" | "kind" | "isUtc">> &
  Pick<ChartProps, "span" | "top">;
type PlotProps = ChartProps & { format: (value: number) => string };

const HEIGHT_PX = 180;
const COUNT_STEPS = [1, 2, 5]
  .flatMap((step) => [0, 1, 2, 3, 4, 5].map((power) => step * 10 ** power))
  .toSorted((one, other) => one - other);

const NO_LIMITS: readonly Limit[] = [];

/** Draws a chart. Redraws when the values, the width or the theme change. Dragging zooms in, a double click out. */
export function Plot({ times, series, span, top, format, ...shape }: PlotProps) {
  const { limits = NO_LIMITS, kind = "lines", isUtc = false } = shape;
  const frame = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  const drawn = JSON.stringify({ times, series, limits, span, top, kind, isUtc, isDark });
  const write = useEffectEvent(format);
  useEffect(() => {
    const place = frame.current;
    if (place === null) return undefined;
    // Parses what was serialised above.
    const numbers = JSON.parse(drawn) as Numbers;
    const plot = draw(place, numbers, (value) => write(value));
    const watch = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
    watch.observe(place);
    return () => {
      watch.disconnect();
      plot.destroy();
      place.replaceChildren();
    };
  }, [drawn]);
  return <div ref={frame} />;
}

function draw(place: HTMLElement, numbers: Numbers, format: PlotProps["format"]): UPlot {
  const { times, series, limits, span, top = 0, kind, isUtc } = numbers;
  const ink = readColor("ink-soft");
  const grid = { stroke: readColor("line"), width: 1 };
  const axis = { stroke: ink, grid, ticks: { show: false }, font: '12px "Inter Variable", system-ui' };
  // Counts have no fractions.
  const drawn = [...series.flatMap(({ values }) => values), ...limits.map(({ value }) => value)];
  const areCounts = drawn.every((value) => Number.isInteger(value ?? 0));
  const stacked = kind === "bars" ? stack(series) : series;
  const readout = document.createElement("p");
  readout.className = "chart-readout";
  const plot = new UPlot(
    {
      width: place.clientWidth,
      height: HEIGHT_PX,
      padding: [6, 20, 0, 0],
      legend: { show: false },
      cursor: { y: false, sync: { key: "time" } },
      hooks: { setCursor: [(plot) => showValues(plot, readout, { series, format, isUtc })] },
      ...(isUtc && { tzDate: (at: number) => UPlot.tzDate(new Date(at * 1000), "Etc/UTC") }),
      scales: {
        ...(span && { x: { min: span[0], max: span[1] } }),
        y: { range: (_plot, _min, max) => (max <= top ? [0, top] : [0, Math.max(1, max * 1.1)]) },
      },
      axes: [
        {
          ...axis,
          size: 28,
          values: isUtc ? formatUtcTicks : formatTicks,
          ...(areDays(times) && { incrs: DAY_STEPS }),
        },
        {
          ...axis,
          size: measureLabels,
          values: (_plot, ticks) => ticks.map(format),
          ...(areCounts && { incrs: COUNT_STEPS }),
        },
      ],
      series: [{}, ...stacked.map((each) => toPlotSeries(each, kind)), ...limits.map(toLimitLine)],
    },
    [
      [...times],
      ...stacked.map(({ values }) => [...values]),
      ...limits.map(({ value }) => times.map(() => value)),
    ],
    place,
  );
  place.append(readout);
  return plot;
}

type Shown = Required<Pick<PlotProps, "series" | "format" | "isUtc">>;

/** Writes the values under the cursor, which all charts of a page share. */
function showValues(plot: UPlot, readout: HTMLElement, { series, format, isUtc }: Shown): void {
  const at = plot.cursor.idx ?? null;
  const time = at === null ? undefined : plot.data[0][at];
  if (at === null || time === undefined) {
    readout.textContent = "";
    return;
  }
  const values = series.map(({ label, values: measured }) => {
    const value = measured[at] ?? null;
    return `${label} ${value === null ? "–" : format(value)}`;
  });
  readout.textContent = [formatMoment(time, isUtc), ...values].join(" · ");
}

const MOMENT = { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" } as const;

function formatMoment(seconds: number, isUtc: boolean): string {
  return new Date(seconds * 1000).toLocaleString("en", { ...MOMENT, ...(isUtc && { timeZone: "UTC" }) });
}

const DAY_SECONDS = 86_400;
const DAY_STEPS = [1, 2, 7, 14, 28].map((days) => days * DAY_SECONDS);

function areDays([first = 0, second = 0]: readonly number[]): boolean {
  return second - first >= DAY_SECONDS;
}

/** The width of the labels of the scale, in pixels. */
function measureLabels(_plot: UPlot, labels: string[] | null): number {
  return Math.max(44, ...(labels ?? []).map((label) => label.length * 7 + 10));
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const DAY = { day: "numeric", month: "short" } as const;
const LONG_SECONDS = 2 * DAY_SECONDS;

const formatTicks = createTickFormat({});
const formatUtcTicks = createTickFormat({ timeZone: "UTC" });

/** Formats ticks as dates if there are several days, else as times. */
function createTickFormat(zone: Intl.DateTimeFormatOptions): (plot: UPlot, ticks: number[]) => string[] {
  const [clock, day] = [CLOCK, DAY].map((form) => new Intl.DateTimeFormat("en", { ...form, ...zone }));
  return (_plot, ticks) => {
    const isLong = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0) > LONG_SECONDS;
    return ticks.map((tick) => (isLong ? day : clock)?.format(tick * 1000) ?? "");
  };
}

/** Stacks bars. The highest is drawn first, so that lower ones are in front of it. */
function stack(series: readonly Series[]): Series[] {
  return series
    .map((each, place) => ({
      ...each,
      values: each.values.map((_value, at) =>
        series.slice(0, place + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
      ),
    }))
    .toReversed();
}

function toPlotSeries({ label, color }: Series, kind: "lines" | "bars"): UPlot.Series {
  const stroke = readColor(color);
  if (kind === "lines") {
    return {
      label,
      stroke,
      width: 2,
      points: { show: false, size: 6, fill: stroke, filter: findLonelyPoints },
    };
  }
  const { bars } = UPlot.paths;
  return {
    label,
    fill: stroke,
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars({ size: [0.8, 40] }) }),
  };
}

function toLimitLine({ label, isPassed = false }: Limit): UPlot.Series {
  const stroke = readColor(isPassed ? "danger" : "warn");
  return { label, stroke, width: 2, dash: [6, 4], points: { show: false } };
}

/** Indexes of values without neighbours. They have no line, so they are drawn as points. */
function findLonelyPoints(plot: UPlot, series: number): number[] {
  const values = Array.from(plot.data[series] ?? []);
  return values.flatMap((value, at) =>
    isNone(value) || !isNone(values[at - 1]) || !isNone(values[at + 1]) ? [] : [at],
  );
}

function isNone(value: number | null | undefined): boolean {
  return value === null || value === undefined;
}

/** A color of the current theme, as a canvas takes it. */
function readColor(token: string): string {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.style.color = `var(--color-${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
