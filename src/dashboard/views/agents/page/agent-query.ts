import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** Everything an agent's page shows except its tabs. A robot has one mission at a time. */
export const AgentQuery = graphql(`
  query AgentPage($id: ID!, $robotId: ID!) {
    agent(id: $id) {
      id
      uuid
      handle
      name
      kind
      version
      description
      presence
      controlState
      ownControlState
      stopState
      lastSeenAt
      createdAt
      archivedAt
      capabilities
      labels
      captureContent
      currentTasks {
        id
        uuid
        title
        status
        progress
        startedAt
      }
    }
    assigned: missions(first: 1, filter: { robotId: $robotId, status: ASSIGNED }) {
      ...CurrentMission
    }
    running: missions(first: 1, filter: { robotId: $robotId, status: RUNNING }) {
      ...CurrentMission
    }
    paused: missions(first: 1, filter: { robotId: $robotId, status: PAUSED }) {
      ...CurrentMission
    }
  }
  fragment CurrentMission on QueryMissionsConnection {
    nodes {
      id
      uuid
      title
      status
    }
  }
`);

export type ShownAgent = ResultOf<typeof AgentQuery>["agent"];

/** The fields needed to act on an agent. */
export type Controlled = Pick<
  ShownAgent,
  "id" | "uuid" | "name" | "kind" | "presence" | "controlState" | "ownControlState" | "archivedAt"
>;
