import { TimeAgo } from "../../ui/time-ago.tsx";
import type { ShownPolicy } from "./policy-fields.ts";

/** How often a policy held in the last seven days, and when it last did. */
export function PolicyActivity({ activity }: Pick<ShownPolicy, "activity">) {
  const { hits, wouldHits, lastMatchAt } = activity;
  if (hits + wouldHits === 0) return <span className="soft">none</span>;
  const counts = [
    ...(hits === 0 ? [] : [hits.toLocaleString("en")]),
    ...(wouldHits === 0 ? [] : [`${wouldHits.toLocaleString("en")} while monitored`]),
  ];
  return (
    <span>
      {counts.join(", ")}{" "}
      {lastMatchAt !== null && (
        <span className="small soft">
          last <TimeAgo at={lastMatchAt} />
        </span>
      )}
    </span>
  );
}
