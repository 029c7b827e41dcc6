import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";

export const DecisionsQuery = graphql(
  `
    query Decisions($first: Int, $after: String, $last: Int, $before: String, $filter: DecisionFilter) {
      decisions(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          id
          uuid
          action
          resourceId
          resourceAgent {
            id
            name
          }
          subject
          outcome
          would
          reason
          policies {
            uuid
            name
            decided
          }
          agentUuid
          agent {
            id
            name
          }
          createdAt
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PageFields],
);

export type DecisionRow = ResultOf<typeof DecisionsQuery>["decisions"]["nodes"][number];
