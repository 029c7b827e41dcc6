import type { Difference } from "./list-differences.ts";

/** What differs, field by field. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <dl className="policies-differences">
      {differences.map(({ field, before, after }) => (
        <div key={field}>
          <dt className="label">{field}</dt>
          <dd>
            <del>{before}</del> <ins>{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
