import { type MissionStatus, hasMissionEnded } from "../mission-states.ts";
import type { ShownMission } from "./mission-query.ts";

/** Actions on a mission. */
export type MissionAct = "pause" | "resume" | "cancel" | "force";

/** Actions on a step. */
export type StepAct = "retry" | "skip";

type Words = { label: string; title: string; done: string; willHappen: string };

/** Labels and descriptions of each action. */
export const MISSION_ACTS: Readonly<Record<MissionAct | StepAct, Words>> = {
  pause: {
    label: "Pause",
    title: "Pause mission",
    done: "The mission has been paused.",
    willHappen: "The mission is paused at once, and its robot is told to wait in a safe place.",
  },
  resume: {
    label: "Resume",
    title: "Resume mission",
    done: "The mission has been resumed.",
    willHappen: "The mission is resumed at once, and its robot is told to continue.",
  },
  cancel: {
    label: "Cancel",
    title: "Cancel mission",
    done: "The mission has been canceled, or its robot was asked to stop.",
    willHappen:
      "If the robot has not started, the mission is canceled at once. Otherwise the robot has 60 seconds to confirm.",
  },
  force: {
    label: "Force cancel",
    title: "Force cancel mission",
    done: "The mission has been canceled.",
    willHappen:
      "The mission is canceled now, without waiting for its robot. The robot is still told to stop.",
  },
  retry: {
    label: "Retry",
    title: "Retry step",
    done: "The robot was told to retry the step.",
    willHappen: "The step becomes pending, and the robot is told to retry it.",
  },
  skip: {
    label: "Skip",
    title: "Skip step",
    done: "The step has been skipped.",
    willHappen:
      "The robot is told to continue with the next step. Skipping the last step completes the mission.",
  },
};

/** The actions available in a status. */
export function listMissionActs(status: MissionStatus, isBeingCanceled: boolean): MissionAct[] {
  if (hasMissionEnded(status)) return [];
  if (isBeingCanceled) return ["force"];
  if (status === "RUNNING") return ["pause", "cancel"];
  return status === "PAUSED" ? ["resume", "cancel"] : ["cancel"];
}

/** Explains what happens if the robot is offline. */
export function describeOffline({ robot, status }: ShownMission): string | null {
  if (robot === null) return null;
  const name = robot.agent?.name ?? "The robot";
  if (robot.status === "OFFLINE")
    return `${name} is offline. It receives the command when it reconnects, and may continue on its own until then.`;
  return status === "ASSIGNED"
    ? null
    : `${name} receives a command. If it loses the connection, it may continue on its own.`;
}
