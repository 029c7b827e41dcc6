import type { Difference } from "./difference.ts";
import { markDifference } from "./mark-difference.ts";

/** What differs, field by field. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <dl className="differences">
      {differences.map(({ field, before, after }) => {
        const marked = markDifference(before ?? "", after ?? "");
        return (
          <div key={field}>
            <dt className="label">{field}</dt>
            <dd>
              {before !== null && (
                <del>
                  <Marked {...marked} changed={marked.before} />
                </del>
              )}{" "}
              {after !== null && (
                <ins>
                  <Marked {...marked} changed={marked.after} />
                </ins>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Marked({ start, changed, end }: { start: string; changed: string; end: string }) {
  if (start === "" && end === "") return changed;
  return (
    <>
      {start}
      {changed !== "" && <mark>{changed}</mark>}
      {end}
    </>
  );
}
