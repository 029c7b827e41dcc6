import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";

/** A page of robots, with the titles of their current missions. */
export const RobotListQuery = graphql(
  `
    query RobotList($first: Int, $after: String, $last: Int, $before: String, $filter: RobotFilter) {
      robots(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          id
          uuid
          agent {
            id
            name
          }
          fleet
          status
          controlState
          stopState
          operatingMode
          batteryPercent
          emergencyStop
          fieldViolation
          position
          errors
          currentMissionUuid
          stateAt
        }
        pageInfo {
          ...PageFields
        }
      }
      running: missions(first: 100, filter: { status: RUNNING }) {
        ...MissionTitles
      }
      paused: missions(first: 100, filter: { status: PAUSED }) {
        ...MissionTitles
      }
      assigned: missions(first: 100, filter: { status: ASSIGNED }) {
        ...MissionTitles
      }
    }
    fragment MissionTitles on QueryMissionsConnection {
      nodes {
        id
        uuid
        title
      }
    }
  `,
  [PageFields],
);

/** A robot with its latest telemetry and its mission's title. */
export type ListedRobot = ResultOf<typeof RobotListQuery>["robots"]["nodes"][number] & {
  missionTitle: string | null;
};
