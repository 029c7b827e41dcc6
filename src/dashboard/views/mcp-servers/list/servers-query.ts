import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";
import { McpServerFields } from "../server-fields.ts";

/** MCP servers with what agents do with them. */
export const McpServers = graphql(
  `
    query McpServers($first: Int, $after: String, $last: Int, $before: String) {
      mcpServers(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        nodes {
          ...McpServerFields
          traffic {
            calls
            denials
            held
            p95Ms
          }
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [McpServerFields, PageFields],
);

export type ListedServer = ResultOf<typeof McpServers>["mcpServers"]["nodes"][number];
