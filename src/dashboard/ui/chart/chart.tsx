import { Empty } from "../empty.tsx";
import { lazyComponent } from "../lazy-component.tsx";
import type { ChartProps } from "./chart-props.ts";
import { ChartTable } from "./chart-table.tsx";

/** If the plot can't be loaded, the values are still available as a table. */
const Plot = lazyComponent(() =>
  import("./plot.tsx").then(
    (module) => module.Plot,
    () => NoPlot,
  ),
);

function NoPlot() {
  return <p className="soft small">The chart couldn’t be loaded. Its values are in the table below.</p>;
}

/** A chart over time in the theme's colors, with its values as an accessible table. */
export function Chart(props: ChartProps) {
  const { title, times, series, limits = [], isUtc = false } = props;
  const { format = (value) => value.toLocaleString("en") } = props;
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
          {limits.map(({ label, isPassed = false }) => (
            <li key={label} className={`legend-limit ${isPassed ? "legend-danger" : "legend-warn"}`}>
              {label}
            </li>
          ))}
        </ul>
      </figcaption>
      {isEmpty ? (
        <Empty title="No data in this period" />
      ) : (
        <>
          <div className="chart-plot" aria-hidden="true">
            <Plot {...props} format={format} />
          </div>
          <ChartTable {...{ title, times, series, isUtc, format }} />
        </>
      )}
    </figure>
  );
}
