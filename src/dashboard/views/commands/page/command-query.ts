import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** Everything that is shown of one command. */
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

/** A command as its page shows it. */
export type ShownCommand = ResultOf<typeof CommandQuery>["agentCommand"];
