import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";

/** An MCP server without its secrets, which nobody can read. */
export const McpServerFields = graphql(`
  fragment McpServerFields on McpServer {
    id
    uuid
    slug
    name
    url
    enabled
    holdSeconds
    credentialKind
    credentialHeader
    credentialSetBy {
      name
    }
    credentialSetAt
    protocolVersion
    health
    healthAt
    lastError
    toolsReadAt
    toolCounts {
      pending
      approved
      changed
      blocked
      gone
    }
    createdBy {
      name
    }
    updatedBy {
      name
    }
    generation
    createdAt
    updatedAt
  }
`);

export type ShownServer = ResultOf<typeof McpServerFields>;

/** One MCP server. */
export const McpServerQuery = graphql(
  `
    query McpServerPage($id: ID!) {
      mcpServer(id: $id) {
        ...McpServerFields
      }
    }
  `,
  [McpServerFields],
);

/** When a server or one of its tools changes. */
export const SERVER_FRESHNESS = { types: ["mcp_server.*", "mcp_tool.*"] };
