import { graphql } from "../../../data/graphql.ts";
import { McpToolItem } from "./tool-fields.ts";

/** Reviews tools whose definitions have these hashes: those that were shown. */
export const ReviewMcpTools = graphql(
  `
    mutation ReviewMcpTools($serverId: ID!, $tools: [McpToolReview!]!, $verdict: McpToolVerdict!) {
      reviewMcpTools(input: { serverId: $serverId, tools: $tools, verdict: $verdict }) {
        tools {
          ...McpToolItem
        }
      }
    }
  `,
  [McpToolItem],
);
