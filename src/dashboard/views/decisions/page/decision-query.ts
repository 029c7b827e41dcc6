import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

export const DecisionQuery = graphql(`
  query DecisionPage($id: ID!) {
    decision(id: $id) {
      id
      uuid
      action
      resourceType
      resourceId
      resourceAgent {
        id
        name
        uuid
      }
      outcome
      would
      reason
      policies {
        uuid
        generation
        name
        effect
        mode
        error
        decided
      }
      subject
      request
      requestHash
      agentUuid
      agent {
        id
        handle
        name
      }
      taskUuid
      traceId
      requestId
      latencyMicroseconds
      createdAt
    }
  }
`);

export type ShownDecision = ResultOf<typeof DecisionQuery>["decision"];
