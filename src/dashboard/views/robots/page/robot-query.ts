import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** A robot and its agent. */
export const RobotQuery = graphql(`
  query RobotPage($id: ID!, $agentId: ID!) {
    robot(id: $id) {
      id
      uuid
      agent {
        id
        name
      }
      manufacturer
      model
      serialNumber
      fleet
      status
      controlState
      stopState
      operatingMode
      batteryPercent
      charging
      driving
      paused
      emergencyStop
      fieldViolation
      position
      velocity
      errors
      loads
      acceptsMissions
      currentMissionUuid
      stateAt
    }
    agent(id: $agentId) {
      id
      uuid
      name
      kind
      presence
      controlState
      ownControlState
      archivedAt
    }
  }
`);

export type ShownRobot = ResultOf<typeof RobotQuery>["robot"];
