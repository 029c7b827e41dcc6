import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/**
 * What happened last, and what people call it. The stream only tells when to read it again: it is written once
 * for all who hear it, so that no name is read for it.
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

/** Something that happened lately. */
export type RecentEvent = ResultOf<typeof RecentEvents>["recentEvents"][number];
