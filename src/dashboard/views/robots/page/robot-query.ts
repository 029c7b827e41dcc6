import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** A robot, and the agent that it is. */
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
      archivedAt
    }
  }
`);

/** A robot as its page shows it. */
export type ShownRobot = ResultOf<typeof RobotQuery>["robot"];
