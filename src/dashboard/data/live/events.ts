import type { ResultOf } from "gql.tada";
import { graphql } from "../graphql.ts";

/** All events of the workspace after a cursor. */
export const Events = graphql(`
  subscription Events($after: Cursor) {
    events(after: $after) {
      __typename
      ... on StreamOpened {
        cursor
      }
      ... on Event {
        cursor
        id
        seq
        type
        subjectType
        subjectUuid
        agentUuid
        actor {
          type
          name
          uuid
        }
        data
        occurredAt
      }
      ... on StreamCheckpoint {
        cursor
      }
      ... on StreamReset {
        cursor
        reason
      }
    }
  }
`);

export type LiveFrame = ResultOf<typeof Events>["events"];

export type LiveEvent = Extract<LiveFrame, { __typename: "Event" }>;
