import { Suspense, lazy } from "react";
import { Empty } from "../empty.tsx";
import type { ChartProps } from "./chart-props.ts";
import { ChartTable } from "./chart-table.tsx";

/** Where it can't be fetched, because the network was cut perhaps, the numbers are still there as a table. */
const Plot = lazy(() =>
  import("./plot.tsx").then(
    ({ Plot }) => ({ default: Plot }),
    () => ({ default: NoPlot }),
  ),
);

function NoPlot() {
  return <p className="soft small">The chart could not be loaded: its numbers are below.</p>;
}

/** A chart over time, in the colours of the theme, with its numbers as a table for who can't see it. */
export function Chart(props: ChartProps) {
  const { title, times, series, format = (value) => value.toLocaleString("en") } = props;
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  return (
    <figure className="card chart">
      <figcaption>
        <h2>{title}</h2>
        <ul className="chart-legend">
          {series.map(({ label, color }) => (
            <li key={label} className={`legend-${color}`}>
              {label}
            </li>
          ))}
        </ul>
      </figcaption>
      {isEmpty ? (
        <Empty title="Nothing in this time" />
      ) : (
        <>
          <div className="chart-plot" aria-hidden="true">
            <Suspense>
              <Plot {...props} format={format} />
            </Suspense>
          </div>
          <ChartTable title={title} times={times} series={series} format={format} />
        </>
      )}
    </figure>
  );
}
