import { useState } from "react";
import type { ChartProps } from "./chart-props.ts";

const FORMAT = { dateStyle: "short", timeStyle: "short" } as const;
const LOCAL = new Intl.DateTimeFormat("en", FORMAT);
const UTC = new Intl.DateTimeFormat("en", { ...FORMAT, timeZone: "UTC" });

/** A chart's values as a collapsed table. */
export function ChartTable({
  title,
  times,
  series,
  isUtc,
  format,
}: Required<Pick<ChartProps, "title" | "times" | "series" | "isUtc" | "format">>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="changes" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="small">
        Show as table<span className="visually-hidden"> {title}</span>
      </summary>
      {isOpen && (
        <div className="chart-table" tabIndex={0} role="region" aria-label={title}>
          <table className="table">
            <thead>
              <tr>
                {[isUtc ? "Time (UTC)" : "Time", ...series.map(({ label }) => label)].map((header) => (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, index) => (
                <tr key={time}>
                  <th scope="row">{(isUtc ? UTC : LOCAL).format(time * 1000)}</th>
                  {series.map(({ label, values }) => (
                    <td key={label} data-label={label}>
                      {formatValue(values[index] ?? null, format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function formatValue(value: number | null, format: (value: number) => string): string {
  return value === null ? "–" : format(value);
}
