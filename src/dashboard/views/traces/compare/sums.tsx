import type { ReactNode } from "react";
import { Cost } from "../../../ui/cost.tsx";
import { formatCost } from "../../../ui/format-cost.ts";
import { formatMicroseconds } from "../format-microseconds.ts";
import type { ShownTrace } from "../page/trace-query.ts";
import { TraceDuration } from "../trace-duration.tsx";

type SumsProps = { before: ShownTrace; after: ShownTrace };

/** A sum of a trace: as a number, as it is shown, and how its difference is written. */
type Sum = {
  name: string;
  read: (trace: ShownTrace) => number | null;
  show: (trace: ShownTrace) => ReactNode;
  write: (difference: number) => string;
};

const SUMS: readonly Sum[] = [
  {
    name: "Duration",
    read: getDurationUs,
    write: formatMicroseconds,
    show: (trace) => <TraceDuration trace={trace} />,
  },
  {
    name: "Cost",
    read: ({ costUsd }) => Number(costUsd),
    write: formatCost,
    show: (trace) => <Cost of={trace} />,
  },
  createCount("Input tokens", ({ inputTokens }) => inputTokens),
  createCount("Output tokens", ({ outputTokens }) => outputTokens),
  createCount("Spans", ({ spanCount }) => spanCount),
  createCount("Errors", ({ errorCount }) => errorCount),
];

/** The sums of two traces, with their differences. */
export function Sums({ before, after }: SumsProps) {
  return (
    <div className="table-frame">
      <table className="table" aria-label="Sums">
        <thead>
          <tr>
            <th scope="col">Sum</th>
            {["First", "Second", "Difference"].map((header) => (
              <th key={header} scope="col" className="end">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SUMS.map((sum) => (
            <tr key={sum.name}>
              <th scope="row">{sum.name}</th>
              <td className="end" data-label="First">
                {sum.show(before)}
              </td>
              <td className="end" data-label="Second">
                {sum.show(after)}
              </td>
              <td className="end" data-label="Difference">
                {writeDifference(sum, { before, after })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function writeDifference({ read, write }: Sum, { before, after }: SumsProps): string {
  const [from, to] = [read(before), read(after)];
  if (from === null || to === null) return "–";
  if (from === to) return "same";
  const share =
    from === 0 ? "" : ` (${to > from ? "+" : "−"}${Math.round((Math.abs(to - from) / from) * 100)} %)`;
  return `${to > from ? "+" : "−"}${write(Math.abs(to - from))}${share}`;
}

/** Null while it is open. */
function getDurationUs({ startedAt, endedAt }: ShownTrace): number | null {
  return endedAt === null ? null : (Date.parse(endedAt) - Date.parse(startedAt)) * 1000;
}

function createCount(name: string, read: (trace: ShownTrace) => number): Sum {
  return { name, read, write: writeCount, show: (trace) => writeCount(read(trace)) };
}

function writeCount(count: number): string {
  return count.toLocaleString("en");
}
