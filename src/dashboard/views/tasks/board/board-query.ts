import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** Fields of a card on the board. */
export const BoardTask = graphql(`
  fragment BoardTask on Task {
    id
    uuid
    title
    status
    queue
    attempt
    maxAttempts
    progress
    createdAt
    startedAt
    finishedAt
    deadlineAt
    cancelRequestedAt
    approvalUuid
    claimedByAgent {
      id
      name
    }
    assigneeAgent {
      id
      name
    }
    question {
      id
      taskUuid
      parts
      createdAt
      sender {
        name
      }
    }
  }
`);

export type BoardTask = ResultOf<typeof BoardTask>;

/** The tasks of each column: waiting ones oldest first, finished ones by time of finish, others newest first. */
export const BoardQuery = graphql(
  `
    query Board(
      $waiting: TaskFilter
      $submitted: TaskFilter
      $working: TaskFilter
      $ended: TaskFilter
      $shown: Int
    ) {
      taskCounts {
        completed
        failed
        canceled
        rejected
      }
      waiting: tasks(last: $shown, filter: $waiting) {
        totalCount
        nodes {
          ...BoardTask
        }
      }
      submitted: tasks(first: $shown, filter: $submitted) {
        totalCount
        nodes {
          ...BoardTask
        }
      }
      working: tasks(first: $shown, filter: $working) {
        totalCount
        nodes {
          ...BoardTask
        }
      }
      ended: tasks(first: $shown, filter: $ended, orderBy: UPDATED_DESC) {
        totalCount
        nodes {
          ...BoardTask
        }
      }
    }
  `,
  [BoardTask],
);
