import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatCount } from "../../../ui/words.ts";
import type { TracesPage } from "./trace-rows.ts";

/** Says how far a search came that stopped before it had looked at all traces. */
export function SearchNote({ page: { nodes, searchedUntil } }: { page: TracesPage }) {
  if (searchedUntil === null) return null;
  return (
    <p className="notice" role="status">
      {formatCount(nodes.length, "trace")} found so far, of those that began to arrive since{" "}
      <TimeAgo at={searchedUntil} />. “Older” searches on.
    </p>
  );
}
