import { graphql } from "../../../data/graphql.ts";
import { McpServerFields } from "../server-fields.ts";

export const SetMcpCredential = graphql(
  `
    mutation SetMcpCredential($serverId: ID!, $secret: String, $header: String) {
      setMcpCredential(input: { serverId: $serverId, secret: $secret, header: $header }) {
        server {
          ...McpServerFields
        }
      }
    }
  `,
  [McpServerFields],
);
