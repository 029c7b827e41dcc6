import type { ResultOf } from "gql.tada";
import { graphql } from "./graphql.ts";
import { type LiveQuery, useLiveQuery } from "./use-live-query.ts";

/** A workspace has at most 100 servers. */
const WaitingMcpServers = graphql(`
  query WaitingMcpServers {
    mcpServers(first: 100) {
      nodes {
        id
        uuid
        name
        toolCounts {
          pending
          changed
        }
      }
    }
  }
`);

export type WaitingMcpServer = ResultOf<typeof WaitingMcpServers>["mcpServers"]["nodes"][number];

/** A server may change many tools at once. */
const FRESHNESS = { types: ["mcp_server.*", "mcp_tool.*"], apartMs: 2000 };

/** The MCP servers with tools that wait for a review. Null before the first answer. */
export function useWaitingMcpServers(): LiveQuery<readonly WaitingMcpServer[]> {
  const query = useLiveQuery(WaitingMcpServers, {}, FRESHNESS);
  const data = query.data?.mcpServers.nodes.filter((server) => countWaitingTools(server) > 0) ?? null;
  return { ...query, data };
}

/** How many tools of a server wait for a review. */
export function countWaitingTools({ toolCounts }: Pick<WaitingMcpServer, "toolCounts">): number {
  return toolCounts.pending + toolCounts.changed;
}
