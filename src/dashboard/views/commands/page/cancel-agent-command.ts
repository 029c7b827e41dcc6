import { graphql } from "../../../data/graphql.ts";

export const CancelAgentCommand = graphql(`
  mutation CancelAgentCommand($id: ID!, $reason: String) {
    cancelAgentCommand(input: { id: $id, reason: $reason }) {
      agentCommand {
        id
        status
      }
    }
  }
`);
