import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";

/** A call of a tool in a list. */
export const McpCallItem = graphql(`
  fragment McpCallItem on McpCall {
    id
    uuid
    tool
    status
    isError
    agentUuid
    agent {
      id
      name
    }
    decisionUuid
    approvalUuid
    traceId
    requestBytes
    answerBytes
    durationMs
    createdAt
  }
`);

export type CallItem = ResultOf<typeof McpCallItem>;

export const McpCalls = graphql(
  `
    query McpCalls($first: Int, $after: String, $last: Int, $before: String, $filter: McpCallFilter) {
      mcpCalls(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          ...McpCallItem
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [McpCallItem, PageFields],
);

/** When calls change: those that no person approved start and end without an event. */
export const CALL_FRESHNESS = { types: ["execution.*"], apartMs: 1000, everyMs: 5000 };
