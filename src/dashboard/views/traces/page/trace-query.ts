import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { TraceFields } from "../trace-fields.ts";

export const TraceQuery = graphql(
  `
    query TracePage($traceId: String!) {
      trace(traceId: $traceId) {
        ...TraceFields
        conversationId
        taskUuid
        missionUuid
        generation
        evalResults {
          evalRunUuid
          evalRunName
          suite
          itemKey
          status
        }
      }
    }
  `,
  [TraceFields],
);

export type ShownTrace = ResultOf<typeof TraceQuery>["trace"];

/** Tells of spans that come. */
export const TraceSpans = graphql(`
  subscription TraceSpans($traceId: String!, $after: Int!) {
    traceSpans(traceId: $traceId, after: $after) {
      generation
      startedAt
      spans
    }
  }
`);

export type TraceSpansFrame = ResultOf<typeof TraceSpans>["traceSpans"];

export const SkeletonQuery = graphql(`
  query TraceSkeletonPage($traceId: String!, $after: String) {
    trace(traceId: $traceId) {
      id
      startedAt
      skeleton(after: $after)
    }
  }
`);
