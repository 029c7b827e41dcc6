import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Question } from "./question.tsx";

const WaitingTasks = graphql(`
  query WaitingTasks {
    tasks(last: 3, filter: { status: INPUT_REQUIRED }) {
      totalCount
      nodes {
        id
        uuid
        title
        updatedAt
      }
    }
  }
`);

/** The tasks that have waited longest for an answer. Hidden if there are none. */
export function Questions() {
  const { data, problem, refresh } = useLiveQuery(WaitingTasks, {}, { types: ["task.*"] });
  const nodes = data?.tasks.nodes ?? [];
  const more = (data?.tasks.totalCount ?? 0) - nodes.length;
  if (nodes.length === 0 && problem === null) return null;
  return (
    <section className="card stack-m now-questions" aria-labelledby="now-questions">
      <div className="row-between">
        <h2 id="now-questions">Waiting for an answer</h2>
        {more > 0 && <Link href="/tasks?status=INPUT_REQUIRED">{`${more} more`}</Link>}
      </div>
      <ErrorNote problem={problem} onRetry={refresh} />
      <ul className="now-question-list">
        {nodes.toReversed().map((task) => (
          <Question key={task.uuid} task={task} />
        ))}
      </ul>
    </section>
  );
}
