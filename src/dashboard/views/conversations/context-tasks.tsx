import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../data/graphql.ts";
import { StatusChip } from "../../ui/status-chip.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";

/** Fields of a conversation's task. */
export const ContextTaskFields = graphql(`
  fragment ContextTaskFields on Task {
    id
    uuid
    title
    status
    updatedAt
    claimedByAgent {
      id
      name
    }
  }
`);

export type ContextTask = ResultOf<typeof ContextTaskFields>;

/** The tasks of a conversation, newest first. */
export function ContextTasks({ tasks }: { tasks: readonly ContextTask[] }) {
  if (tasks.length === 0) return null;
  return (
    <section className="card stack-m" aria-labelledby="context-tasks">
      <h2 id="context-tasks">Tasks</h2>
      <ul className="stack-m conversations-tasks">
        {tasks.map(({ uuid, title, status, updatedAt, claimedByAgent }) => (
          <li key={uuid} className="stack-s">
            <div className="row-between">
              <Link href={`/tasks/${uuid}`}>{title}</Link>
              <StatusChip status={status} />
            </div>
            <p className="small soft">
              {claimedByAgent !== null && `${claimedByAgent.name} · `}
              <TimeAgo at={updatedAt} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
