import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { WatchedAlert } from "../../data/watched-alert.ts";

/** A rule, its state, and who wrote it. */
export const AlertFields = graphql(
  `
    fragment AlertFields on AlertRule {
      ...WatchedAlert
      description
      forSeconds
      cooldownSeconds
      enabled
      state
      evaluatedAt
      firedAt
      resolvedAt
      createdBy {
        name
      }
      updatedBy {
        name
      }
      generation
      createdAt
      updatedAt
    }
  `,
  [WatchedAlert],
);

export type ShownAlert = ResultOf<typeof AlertFields>;

export const AlertQuery = graphql(
  `
    query AlertPage($id: ID!) {
      alertRule(id: $id) {
        ...AlertFields
      }
    }
  `,
  [AlertFields],
);

/** Values, and states other than firing, change without events, every half minute. */
export const ALERT_FRESHNESS = { types: ["alert_rule.*", "alert.*"], everyMs: 15_000 };

export const ALERT_STATES = ["FIRING", "OK", "RESOLVED", "NO_DATA"] as const;
