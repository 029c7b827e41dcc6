import { graphql } from "../../../data/graphql.ts";
import type { MissionAct, StepAct } from "./acts.ts";

const Pause = graphql(`
  mutation PauseMission($id: ID!, $reason: String) {
    pauseMission(input: { id: $id, reason: $reason }) {
      mission {
        id
        status
      }
    }
  }
`);

const Resume = graphql(`
  mutation ResumeMission($id: ID!, $reason: String) {
    resumeMission(input: { id: $id, reason: $reason }) {
      mission {
        id
        status
      }
    }
  }
`);

const Cancel = graphql(`
  mutation CancelMission($id: ID!, $reason: String) {
    cancelMission(input: { id: $id, reason: $reason }) {
      mission {
        id
        status
      }
    }
  }
`);

const Force = graphql(`
  mutation ForceCancelMission($id: ID!, $reason: String) {
    cancelMission(input: { id: $id, reason: $reason, force: true }) {
      mission {
        id
        status
      }
    }
  }
`);

const Retry = graphql(`
  mutation RetryMissionStep($id: ID!, $reason: String, $stepKey: String!) {
    retryMissionStep(input: { id: $id, reason: $reason, stepKey: $stepKey }) {
      mission {
        id
        status
      }
    }
  }
`);

const Skip = graphql(`
  mutation SkipMissionStep($id: ID!, $reason: String, $stepKey: String!) {
    skipMissionStep(input: { id: $id, reason: $reason, stepKey: $stepKey }) {
      mission {
        id
        status
      }
    }
  }
`);

/** The mutation of each action on a mission. */
export const MISSION_MUTATIONS = {
  pause: Pause,
  resume: Resume,
  cancel: Cancel,
  force: Force,
} as const satisfies Record<MissionAct, unknown>;

/** The mutation of each action on a step. */
export const STEP_MUTATIONS = { retry: Retry, skip: Skip } as const satisfies Record<StepAct, unknown>;
