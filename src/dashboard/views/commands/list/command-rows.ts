import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";

/** Fields of a row in a list of commands. */
export const CommandRow = graphql(`
  fragment CommandRow on AgentCommand {
    id
    uuid
    type
    status
    statusDetail
    late
    deliveryAttempts
    createdAt
    finishedAt
    priority
    agentUuid
    issuedBy {
      name
      type
    }
    agent {
      id
      name
      uuid
    }
  }
`);

export type CommandRow = ResultOf<typeof CommandRow>;

export const CommandsQuery = graphql(
  `
    query Commands($first: Int, $after: String, $last: Int, $before: String, $filter: AgentCommandFilter) {
      agentCommands(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          ...CommandRow
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [CommandRow, PageFields],
);
