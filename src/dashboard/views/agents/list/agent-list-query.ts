import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";

export const AgentListQuery = graphql(
  `
    query AgentList($first: Int, $after: String, $last: Int, $before: String, $filter: AgentFilter) {
      agents(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          id
          uuid
          handle
          name
          kind
          version
          presence
          controlState
          stopState
          lastSeenAt
          currentTasks {
            id
            uuid
            title
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

export type ListedAgent = ResultOf<typeof AgentListQuery>["agents"]["nodes"][number];
