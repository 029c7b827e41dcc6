import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";

const QueuesQuery = graphql(`
  query LongestQueues {
    overview(window: LAST_HOUR) {
      tasks {
        queues {
          name
          depth
          oldestAt
        }
      }
    }
  }
`);

const FRESHNESS = { types: ["task.*"], apartMs: 5000 };
const SHOWN = 10;

/** The queues in which most tasks wait, and since when. */
export function LongestQueues() {
  const { data, problem, refresh } = useLiveQuery(QueuesQuery, {}, FRESHNESS);
  const queues = data?.overview.tasks.queues.slice(0, SHOWN) ?? [];
  return (
    <section className="card stack-s" aria-labelledby="now-queues">
      <h2 id="now-queues">Queues</h2>
      <ErrorNote problem={problem} onRetry={refresh} />
      {data !== null && queues.length === 0 && <p className="soft">No task waits in a queue.</p>}
      <ul className="now-sums">
        {queues.map(({ name, depth, oldestAt }) => (
          <li key={name} className="row-between">
            <Link href={`/tasks?view=list&status=SUBMITTED&queue=${encodeURIComponent(name)}`}>{name}</Link>
            <span className="small soft">
              {depth === null ? "more than 10,000" : depth.toLocaleString("en")} waiting, the oldest created{" "}
              <TimeAgo at={oldestAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
