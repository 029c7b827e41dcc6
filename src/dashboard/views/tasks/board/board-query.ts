import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** What a card of the board shows. */
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

/** A task as a card. */
export type BoardTask = ResultOf<typeof BoardTask>;

/** The tasks of each column: of those that wait the oldest, of those that ended the last, of the others the newest. */
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
