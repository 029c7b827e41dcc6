import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { MessageFields } from "../../conversations/thread/message-fields.ts";

/** A task with everything its page shows. Messages are newest first. */
export const TaskQuery = graphql(
  `
    query TaskPage($id: ID!) {
      task(id: $id) {
        id
        uuid
        title
        status
        statusMessage
        queue
        priority
        attempt
        maxAttempts
        progress
        labels
        metadata
        input
        output
        error
        artifacts
        contextId
        traceId
        parentTaskUuid
        missionUuid
        createdAt
        startedAt
        finishedAt
        deadlineAt
        runAfter
        cancelRequestedAt
        approvalUuid
        assigneeAgentUuid
        createdBy {
          name
          type
        }
        assigneeAgent {
          id
          name
          uuid
        }
        claimedByAgent {
          id
          name
          uuid
        }
        question {
          ...MessageFields
        }
      }
      messages(first: 50, filter: { taskId: $id }) {
        totalCount
        nodes {
          ...MessageFields
        }
      }
      tasks(first: 10, filter: { parentTaskId: $id }) {
        nodes {
          id
          uuid
          title
          status
        }
      }
    }
  `,
  [MessageFields],
);

export type ShownTask = ResultOf<typeof TaskQuery>["task"];

/** A task that retries another one. */
export type TaskRetry = ResultOf<typeof TaskQuery>["tasks"]["nodes"][number];
