import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";

export const MissionsQuery = graphql(
  `
    query Missions($first: Int, $after: String, $last: Int, $before: String, $filter: MissionFilter) {
      missions(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          id
          uuid
          title
          kind
          status
          approvalUuid
          progress
          cancelRequestedAt
          robot {
            id
            uuid
            agent {
              id
              name
            }
          }
          createdAt
          updatedAt
          finishedAt
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PageFields],
);

export type MissionRow = ResultOf<typeof MissionsQuery>["missions"]["nodes"][number];
