import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

export const CommandQuery = graphql(`
  query CommandPage($id: ID!) {
    agentCommand(id: $id) {
      id
      uuid
      type
      status
      statusDetail
      seq
      priority
      params
      result
      error
      progress
      late
      deliveryAttempts
      ackTimeoutSeconds
      runTimeoutSeconds
      createdAt
      notBefore
      deliveredAt
      acknowledgedAt
      startedAt
      finishedAt
      expiresAt
      batchId
      taskUuid
      missionUuid
      decisionUuid
      approvalUuid
      agentUuid
      issuedBy {
        name
        type
      }
      agent {
        id
        name
        uuid
      }
    }
  }
`);

export type ShownCommand = ResultOf<typeof CommandQuery>["agentCommand"];
