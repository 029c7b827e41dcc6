import type { ResultOf } from "gql.tada";
import { graphql } from "../graphql.ts";

/** The stream of everything that happens in the workspace, from a cursor on. */
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

/** What the stream brings. */
export type LiveFrame = ResultOf<typeof Events>["events"];

/** Something that happened in the workspace. */
export type LiveEvent = Extract<LiveFrame, { __typename: "Event" }>;
