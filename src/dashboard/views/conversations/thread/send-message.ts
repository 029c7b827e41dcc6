import { graphql } from "../../../data/graphql.ts";

/** Sends what a person says; an answer lets the task that waits on it go on. */
export const SendMessage = graphql(`
  mutation SendMessage($input: SendMessageInput!) {
    sendMessage(input: $input) {
      message {
        id
        uuid
        contextId
        kind
      }
    }
  }
`);
