import type { ResultOf } from "gql.tada";
import { toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";

/** What a task is created again from. */
export const RetriedTask = graphql(`
  query RetriedTask($id: ID!) {
    task(id: $id) {
      id
      title
      queue
      priority
      maxAttempts
      labels
      metadata
      input
      contextId
      assigneeAgentUuid
    }
  }
`);

type Retried = ResultOf<typeof RetriedTask>["task"];

/** The same input without the deadline, which applied to the old task only. */
export function toRetryInput(task: Retried) {
  const { id, title, queue, priority, maxAttempts, labels, metadata, input, contextId } = task;
  const assignee = task.assigneeAgentUuid;
  return {
    parentTaskId: id,
    title,
    queue,
    priority,
    maxAttempts,
    labels,
    metadata,
    input,
    contextId,
    ...(assignee !== null && { assigneeAgentId: toGlobalId("Agent", assignee) }),
  };
}
