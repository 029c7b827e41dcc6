import { graphql } from "../../../data/graphql.ts";

export const CancelTask = graphql(`
  mutation CancelTask($id: ID!, $reason: String) {
    cancelTask(input: { id: $id, reason: $reason }) {
      task {
        id
        status
        cancelRequestedAt
      }
    }
  }
`);
