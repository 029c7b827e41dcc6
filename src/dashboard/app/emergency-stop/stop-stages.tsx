import { Link } from "wouter";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { formatCount } from "../../ui/words.ts";
import { describeLabels } from "./describe-scope.ts";
import type { Stop } from "./stop-query.ts";

/** How agents of a stop were resumed, stage by stage. */
export function StopStages({ stop: { at: startedAt, stages } }: { stop: Stop }) {
  if (stages.length === 0) return null;
  return (
    <ol className="stop-stages" aria-label="Stages">
      {stages.map(({ uuid, at, by, reason, count, labels, percent }) => (
        <li key={uuid}>
          {by.name} resumed {formatCount(count, "agent")}
          {describeMeant(labels, percent)} <TimeAgo at={at} />: {reason}{" "}
          <span className="small">
            <Link href={`/commands/batches/${uuid}`}>See their commands</Link>
          </span>
        </li>
      ))}
      <li className="small">
        <Link href={`/decisions?outcome=DENY&period=${startedAt}`}>See what was denied</Link>
      </li>
    </ol>
  );
}

function describeMeant(labels: unknown, percent: number | null): string {
  if (percent !== null) return ` (${percent} %)`;
  return labels === null ? "" : ` (${describeLabels(labels)})`;
}
