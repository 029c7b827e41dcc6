import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** A tool without its definition, which may be large. */
export const McpToolItem = graphql(`
  fragment McpToolItem on McpTool {
    id
    uuid
    name
    status
    reviewedBy {
      name
    }
    reviewedAt
    updatedAt
  }
`);

export type ToolItem = ResultOf<typeof McpToolItem>;

/** A tool with its definitions and the hash that a review names. */
export const McpToolFields = graphql(
  `
    fragment McpToolFields on McpTool {
      ...McpToolItem
      hash
      definition
      approvedDefinition
      createdAt
    }
  `,
  [McpToolItem],
);

export type ShownTool = ResultOf<typeof McpToolFields>;

/** The tools of a server that wait for a review. */
export const WaitingMcpTools = graphql(
  `
    query WaitingMcpTools($serverId: ID!, $first: Int!) {
      changed: mcpTools(first: $first, filter: { serverId: $serverId, status: CHANGED }) {
        totalCount
        nodes {
          ...McpToolItem
        }
      }
      pending: mcpTools(first: $first, filter: { serverId: $serverId, status: PENDING }) {
        totalCount
        nodes {
          ...McpToolItem
        }
      }
    }
  `,
  [McpToolItem],
);

/** When tools change, or are reviewed. */
export const TOOL_FRESHNESS = { types: ["mcp_tool.*", "mcp_server.deleted"] };

export const TOOL_STATUSES = ["APPROVED", "BLOCKED", "CHANGED", "GONE", "PENDING"] as const;

export type ToolStatus = (typeof TOOL_STATUSES)[number];
