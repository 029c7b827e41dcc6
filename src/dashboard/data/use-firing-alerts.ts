import type { ResultOf } from "gql.tada";
import { graphql } from "./graphql.ts";
import { type LiveQuery, useLiveQuery } from "./use-live-query.ts";
import { WatchedAlert } from "./watched-alert.ts";

const FiringAlerts = graphql(
  `
    query FiringAlerts {
      alertRules(first: 5, filter: { state: FIRING, enabled: true }) {
        totalCount
        nodes {
          ...WatchedAlert
        }
      }
    }
  `,
  [WatchedAlert],
);

type Data = ResultOf<typeof FiringAlerts>;

const TYPES = ["alert_rule.*", "alert.*"];
const APART_MS = 2000;

/**
 * How many alert rules fire, and the five newest of these rules.
 *
 * @param everyMs how often their values are read again. Default: when a rule fires or is resolved.
 */
export function useFiringAlerts(everyMs?: number): LiveQuery<Data> {
  const freshness = { types: TYPES, apartMs: APART_MS };
  return useLiveQuery(FiringAlerts, {}, everyMs === undefined ? freshness : { ...freshness, everyMs });
}
