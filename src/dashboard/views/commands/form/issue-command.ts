import { graphql } from "../../../data/graphql.ts";

/** Issues a command to one agent, or the same to each of many. */
export const IssueCommand = graphql(`
  mutation IssueCommand($input: IssueAgentCommandInput!) {
    issueAgentCommand(input: $input) {
      batchId
      agentCommands {
        id
        uuid
      }
    }
  }
`);
