import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** What is shown of a message in a thread. */
export const MessageFields = graphql(`
  fragment MessageFields on Message {
    id
    uuid
    kind
    role
    parts
    createdAt
    taskUuid
    replyToUuid
    answeredByUuid
    sender {
      name
      type
      uuid
    }
  }
`);

/** A message of a thread. */
export type ThreadMessage = ResultOf<typeof MessageFields>;
