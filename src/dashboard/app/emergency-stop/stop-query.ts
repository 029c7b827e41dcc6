import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";

/** The stops that stand. */
export const Stops = graphql(`
  query Stops {
    stops {
      id
      uuid
      scope {
        kind
        labels
      }
      at
      by {
        name
      }
      reason
      agents {
        total
        confirmed
        pending
        unreachable
      }
      outstanding(first: 8) {
        agent {
          id
          uuid
          name
        }
        state
        lastSeenAt
      }
      stages {
        uuid
        at
        by {
          name
        }
        reason
        count
        labels
        percent
      }
    }
  }
`);

/** A stop, as the banner shows it. */
export type Stop = ResultOf<typeof Stops>["stops"][number];
