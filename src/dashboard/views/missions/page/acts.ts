import { type MissionStatus, hasMissionEnded } from "../mission-states.ts";
import type { ShownMission } from "./mission-query.ts";

/** What can be done with a whole mission. */
export type MissionAct = "pause" | "resume" | "cancel" | "force";

/** What can be done with one of its steps. */
export type StepAct = "retry" | "skip";

type Words = { label: string; title: string; done: string; willHappen: string };

/** What each act is called and what it does. */
export const MISSION_ACTS: Readonly<Record<MissionAct | StepAct, Words>> = {
  pause: {
    label: "Pause",
    title: "Pause the mission",
    done: "The mission is paused.",
    willHappen: "The mission is paused at once, and its robot is told to wait where it is safe.",
  },
  resume: {
    label: "Resume",
    title: "Resume the mission",
    done: "The mission goes on.",
    willHappen: "The mission goes on at once, and its robot is told so.",
  },
  cancel: {
    label: "Cancel",
    title: "Cancel the mission",
    done: "The mission is canceled, or its robot is asked to end it.",
    willHappen:
      "If its robot has not begun, it is canceled at once. If it has, the robot is told and has 60 seconds to confirm.",
  },
  force: {
    label: "Cancel by force",
    title: "Cancel the mission by force",
    done: "The mission is canceled.",
    willHappen: "The mission ends now, whatever its robot does. The robot is told all the same.",
  },
  retry: {
    label: "Retry",
    title: "Retry the step",
    done: "The robot tries the step again.",
    willHappen: "The step waits again, and the robot is told to try it once more.",
  },
  skip: {
    label: "Skip",
    title: "Skip the step",
    done: "The step is skipped.",
    willHappen: "The robot is told to go on with the next step. With the last one the mission completes.",
  },
};

/** What can be done with a mission in a status. */
export function listMissionActs(status: MissionStatus, isBeingCanceled: boolean): MissionAct[] {
  if (hasMissionEnded(status)) return [];
  if (isBeingCanceled) return ["force"];
  if (status === "RUNNING") return ["pause", "cancel"];
  return status === "PAUSED" ? ["resume", "cancel"] : ["cancel"];
}

/** What of an act waits for the robot, where it does not hear. */
export function describeOffline({ robot, status }: ShownMission): string | null {
  if (robot === null) return null;
  const name = robot.agent?.name ?? "Its robot";
  if (robot.status === "OFFLINE")
    return `${name} is offline: it is told when it is back, and may go on by itself until then.`;
  return status === "ASSIGNED"
    ? null
    : `${name} is told by a command. Should it be cut off, it may go on by itself.`;
}
