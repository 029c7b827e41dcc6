import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";
import { TraceFields } from "../trace-fields.ts";

export const TracesQuery = graphql(
  `
    query Traces($first: Int, $after: String, $last: Int, $before: String, $filter: TraceFilter) {
      traces(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          ...TraceFields
          firstSeenAt
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PageFields, TraceFields],
);

/** Traces have no events, since many may arrive each second. */
export const TRACES_FRESHNESS = { types: [], everyMs: 3000 };

export type TraceRow = ResultOf<typeof TracesQuery>["traces"]["nodes"][number];
