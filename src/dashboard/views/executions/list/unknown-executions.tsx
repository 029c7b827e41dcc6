import { Link } from "wouter";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount } from "../../../ui/words.ts";
import { EXECUTION_FRESHNESS, type ExecutionItem, ExecutionsQuery } from "../execution-fields.ts";
import { ResolveButton } from "../resolve/resolve-button.tsx";

/** The most that are shown. */
const SIZE = 10;

/** Those that nobody knows the end of: people look what happened. Nothing if there are none. */
export function UnknownExecutions() {
  const { data } = useLiveQuery(
    ExecutionsQuery,
    { first: SIZE, after: null, last: null, before: null, filter: { status: "UNKNOWN" } },
    EXECUTION_FRESHNESS,
  );
  const nodes = data?.executions.nodes ?? [];
  if (nodes.length === 0) return null;
  const more = (data?.executions.totalCount ?? Infinity) - nodes.length;
  return (
    <section className="card stack-m" aria-labelledby="executions-unknown">
      <h2 id="executions-unknown">Nobody knows how these ended</h2>
      <p className="small soft">
        Find out whether it was done, and say so. It is never done again by itself.
      </p>
      <ul className="stack-s">
        {nodes.map((execution) => (
          <li key={execution.uuid}>
            <Unknown execution={execution} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <Link href="/executions?status=UNKNOWN">
            {Number.isFinite(more) ? `Show ${formatCount(more, "more", "more")}` : "Show all"}
          </Link>
        </p>
      )}
    </section>
  );
}

function Unknown({ execution }: { execution: ExecutionItem }) {
  const { uuid, resourceId, agent, endedAt } = execution;
  return (
    <div className="in-line">
      <Link href={`/executions/${uuid}`}>{toVisibleText(resourceId)}</Link>
      <span>{agent?.name ?? "Unnamed agent"}</span>
      <span className="small soft">
        <TimeAgo at={endedAt ?? execution.createdAt} />
      </span>
      <ResolveButton execution={execution} isSmall />
    </div>
  );
}
