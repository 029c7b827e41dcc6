import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

export const TraceQuery = graphql(`
  query TracePage($traceId: String!) {
    trace(traceId: $traceId) {
      id
      traceId
      rootName
      incomplete
      agentUuid
      agent {
        id
        name
      }
      conversationId
      status
      spanCount
      openCount
      errorCount
      inputTokens
      outputTokens
      costUsd
      unpricedCalls
      startedAt
      endedAt
      generation
    }
  }
`);

export type ShownTrace = ResultOf<typeof TraceQuery>["trace"];

export const SkeletonQuery = graphql(`
  query TraceSkeletonPage($traceId: String!, $after: String) {
    trace(traceId: $traceId) {
      id
      skeleton(after: $after)
    }
  }
`);
