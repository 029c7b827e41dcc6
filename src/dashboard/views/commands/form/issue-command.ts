import { graphql } from "../../../data/graphql.ts";

/** Issues a command to one or several agents. */
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
