import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import type { ShownTrace } from "./trace-query.ts";

/** The results of evaluations that a trace is of. */
export function TraceResults({ results }: { results: ShownTrace["evalResults"] }) {
  if (results.length === 0) return null;
  return (
    <div className="in-line small">
      {results.map(({ evalRunUuid, evalRunName, suite, itemKey, status }) => (
        <span key={`${evalRunUuid} ${itemKey}`} className="in-line">
          <StatusChip status={status} />
          <span>
            <code>{toVisibleText(itemKey)}</code> in{" "}
            <Link href={`/evaluations/${evalRunUuid}`}>
              {toVisibleText(suite)}, {toVisibleText(evalRunName)}
            </Link>
          </span>
        </span>
      ))}
    </div>
  );
}
