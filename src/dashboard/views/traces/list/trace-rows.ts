import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";
import { TraceFields } from "../trace-fields.ts";

export const TracesQuery = graphql(
  `
    query Traces($first: Int, $after: String, $last: Int, $before: String, $filter: TraceFilter) {
      traces(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        searchedUntil
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

/** What a trace that goes on has used is no event. */
export const TRACES_FRESHNESS = {
  types: ["trace.updated", "workspace.traces_deleted", "agent.offline", "agent.online"],
  everyMs: 10_000,
};

/** A search may cost much. */
export const SEARCH_FRESHNESS = { types: [], everyMs: 30_000 };

export type TracesPage = ResultOf<typeof TracesQuery>["traces"];
export type TraceRow = TracesPage["nodes"][number];
