import { useMemo, useState } from "react";
import { CheckField } from "../../../ui/form/check-field.tsx";
import type { ChipTone } from "../../../ui/status-chip.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount, toWords } from "../../../ui/words.ts";
import { formatMicroseconds } from "../format-microseconds.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import { type AlignedSpans, type Difference, type Side, alignSpans, getDifference } from "./align-spans.ts";

/** Rows that are shown. */
const SHOWN = 500;

const CHIPS: Readonly<Record<Exclude<Difference, "same">, ChipTone>> = {
  new: "busy",
  gone: "plain",
  slower: "warn",
  faster: "good",
  fails: "bad",
};

/** The spans of two traces next to each other, where they are at the same place. */
export function SpanDifferences({ before, after }: { before: SpanTree; after: SpanTree }) {
  const [hidesSame, setHidesSame] = useState(false);
  const aligned = useMemo(() => alignSpans(before, after), [before, after]);
  const rows = hidesSame ? aligned.filter((one) => getDifference(one) !== "same") : aligned;
  return (
    <section className="stack-m" aria-labelledby="span-differences">
      <div className="row-between">
        <h2 id="span-differences">Spans</h2>
        <CheckField label="Only differences" name="same" isChecked={hidesSame} onChange={setHidesSame} />
      </div>
      {rows.length === 0 && <p className="soft">The spans are the same.</p>}
      {rows.length > 0 && <Rows rows={rows.slice(0, SHOWN)} />}
      {rows.length > SHOWN && (
        <p className="small soft">
          {formatCount(rows.length - SHOWN, "more row is", "more rows are")} not shown.
        </p>
      )}
    </section>
  );
}

function Rows({ rows }: { rows: readonly AlignedSpans[] }) {
  return (
    <div className="table-frame">
      <table className="table" aria-label="spans">
        <thead>
          <tr>
            <th scope="col">Span</th>
            <th scope="col">Kind</th>
            <th scope="col">Change</th>
            <th scope="col" className="end">
              First
            </th>
            <th scope="col" className="end">
              Second
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // Rows have no state, and names repeat.
            // oxlint-disable-next-line react/no-array-index-key
            <Row key={index} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Deeper spans move no further to the right. */
const DEEPEST = 12;

function Row({ row }: { row: AlignedSpans }) {
  const difference = getDifference(row);
  return (
    <tr>
      <th scope="row">
        <span className="traces-indent" style={{ paddingInlineStart: `${Math.min(row.depth, DEEPEST)}rem` }}>
          {toVisibleText(row.name)}
        </span>
      </th>
      <td data-label="Kind">{toWords(row.op)}</td>
      <td data-label="Change">
        {difference === "same" ? (
          <span className="soft">same</span>
        ) : (
          <span className={`badge badge-${CHIPS[difference]}`}>{difference}</span>
        )}
      </td>
      <td data-label="First" className="end">
        <Spans side={row.before} />
      </td>
      <td data-label="Second" className="end">
        <Spans side={row.after} />
      </td>
    </tr>
  );
}

function Spans({ side: { count, failures, open, durationUs } }: { side: Side }) {
  if (count === 0) return <span className="soft">–</span>;
  return (
    <span>
      {count > 1 && `${count.toLocaleString("en")} × `}
      {open < count && formatMicroseconds(durationUs)}
      {open > 0 && <span className="soft">{open < count ? ` · ${open} open` : "open"}</span>}
      {failures > 0 && <> · {formatCount(failures, "error")}</>}
    </span>
  );
}
