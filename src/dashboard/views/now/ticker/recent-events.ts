import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/**
 * The latest events with the names of what they are about. The event stream only triggers a refetch: its frames are
 * encoded once for all clients, so they contain no names.
 */
export const RecentEvents = graphql(`
  query RecentEvents($first: Int!) {
    recentEvents(first: $first) {
      id
      type
      subjectType
      subjectUuid
      subjectLabel
      actor {
        type
        name
      }
      data
      occurredAt
    }
  }
`);

export type RecentEvent = ResultOf<typeof RecentEvents>["recentEvents"][number];
