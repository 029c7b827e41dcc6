import { graphql } from "../../data/graphql.ts";

/** What the list and the page of traces say of one. */
export const TraceFields = graphql(`
  fragment TraceFields on Trace {
    id
    traceId
    rootName
    taskTitle
    incomplete
    agentUuid
    agent {
      id
      name
    }
    status
    spanCount
    openCount
    lost
    errorCount
    inputTokens
    outputTokens
    costUsd
    unpricedCalls
    startedAt
    endedAt
  }
`);
