import { Link } from "wouter";
import { toGlobalId } from "../../data/global-id.ts";
import { graphql } from "../../data/graphql.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { StatusChip } from "../../ui/status-chip.tsx";

const TaskOfQuestion = graphql(`
  query TaskOfQuestion($id: ID!) {
    task(id: $id) {
      id
      title
      status
    }
  }
`);

/** The task that a question concerns. */
export function QuestionTask({ uuid }: { uuid: string }) {
  const { data } = useLiveQuery(TaskOfQuestion, { id: toGlobalId("Task", uuid) }, { types: ["task.*"] });
  return (
    <p className="in-line">
      <Link href={`/tasks/${uuid}`}>{data?.task.title ?? "View task"}</Link>
      {data !== null && <StatusChip status={data.task.status} />}
    </p>
  );
}
