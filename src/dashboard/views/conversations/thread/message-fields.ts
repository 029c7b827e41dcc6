import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** Fields of a message in a thread. */
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

export type ThreadMessage = ResultOf<typeof MessageFields>;
