import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";

export const TasksQuery = graphql(
  `
    query Tasks(
      $first: Int
      $after: String
      $last: Int
      $before: String
      $filter: TaskFilter
      $orderBy: TaskOrder
    ) {
      tasks(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
        totalCount
        nodes {
          id
          uuid
          title
          status
          queue
          attempt
          maxAttempts
          createdAt
          updatedAt
          cancelRequestedAt
          approvalUuid
          claimedByAgent {
            id
            name
            uuid
          }
          assigneeAgent {
            id
            name
            uuid
          }
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PageFields],
);

export type TaskRow = ResultOf<typeof TasksQuery>["tasks"]["nodes"][number];
