import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

export const SpanQuery = graphql(`
  query SpanPanel($traceId: String!, $spanId: String!) {
    trace(traceId: $traceId) {
      id
      span(spanId: $spanId) {
        spanId
        parentSpanId
        name
        op
        status
        statusMessage
        startedAt
        endedAt
        durationMicroseconds
        agentUuid
        agent {
          id
          name
        }
        scope
        provider
        model
        toolName
        inputTokens
        cacheReadTokens
        outputTokens
        costUsd
        costSource
        attributes
        events
        links
        resource
        dropped
        redactions
      }
    }
  }
`);

export type ShownSpan = NonNullable<ResultOf<typeof SpanQuery>["trace"]["span"]>;

/** What is asked for by a button, because it may be personal and is long. */
export const SpanContentQuery = graphql(`
  query SpanContent($traceId: String!, $spanId: String!) {
    trace(traceId: $traceId) {
      id
      span(spanId: $spanId) {
        spanId
        content {
          input
          output
        }
      }
    }
    workspace {
      id
      captureContent
      contentRetentionDays
    }
  }
`);
