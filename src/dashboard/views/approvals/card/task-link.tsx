import { Link } from "wouter";
import { toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";

const ApprovalTask = graphql(`
  query ApprovalTask($id: ID!) {
    task(id: $id) {
      id
      title
      createdBy {
        name
      }
    }
  }
`);

/** The task for which an agent asks, and who created it. */
export function TaskLink({ uuid }: { uuid: string }) {
  const { data } = useLiveQuery(ApprovalTask, { id: toGlobalId("Task", uuid) }, { types: ["task.updated"] });
  return (
    <>
      <Link href={`/tasks/${uuid}`}>{data?.task.title ?? "View task"}</Link>
      {data !== null && <span className="soft"> by {data.task.createdBy.name}</span>}
    </>
  );
}
