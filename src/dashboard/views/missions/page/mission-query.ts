import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** A mission with its steps. */
export const MissionQuery = graphql(`
  query MissionPage($id: ID!) {
    mission(id: $id) {
      id
      uuid
      title
      kind
      status
      progress
      priority
      error
      selector
      minBatteryPercent
      estimatedDurationSeconds
      cancelRequestedAt
      deadlineAt
      taskUuid
      approvalUuid
      decisionUuid
      createdAt
      startedAt
      finishedAt
      createdBy {
        name
      }
      dispatch {
        requestedRobotUuid
        allowedRobots {
          id
          name
          uuid
        }
        attempts
        assignedAt
        startCommandUuid
      }
      robot {
        id
        uuid
        status
        agent {
          id
          name
        }
      }
      steps {
        seq
        key
        type
        status
        params
        result
        error
        startedAt
        finishedAt
      }
    }
  }
`);

export type ShownMission = ResultOf<typeof MissionQuery>["mission"];

export type ShownStep = ShownMission["steps"][number];
