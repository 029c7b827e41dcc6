import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { TraceFields } from "../trace-fields.ts";

export const TraceQuery = graphql(
  `
    query TracePage($traceId: String!) {
      trace(traceId: $traceId) {
        ...TraceFields
        conversationId
        generation
      }
    }
  `,
  [TraceFields],
);

export type ShownTrace = ResultOf<typeof TraceQuery>["trace"];

export const SkeletonQuery = graphql(`
  query TraceSkeletonPage($traceId: String!, $after: String) {
    trace(traceId: $traceId) {
      id
      skeleton(after: $after)
    }
  }
`);
