import type { ShownAgent } from "./agent-query.ts";

/** Actions that change an agent's control state. */
export type ControlAct = "pause" | "resume" | "stop";

type ControlState = ShownAgent["controlState"];

/** Labels and effects of each action. */
export const CONTROL_ACTS = {
  pause: {
    label: "Pause",
    title: "Pause agent",
    to: "PAUSED",
    done: "The agent has been paused.",
    atOnce: "It gets no more work, effective immediately. It may complete its current work.",
    instruction: "pause",
  },
  resume: {
    label: "Resume",
    title: "Resume agent",
    to: "ACTIVE",
    done: "The agent has been resumed.",
    atOnce: "It can claim work again immediately.",
    instruction: "resume",
  },
  stop: {
    label: "Stop",
    title: "Stop agent",
    to: "STOPPED",
    done: "The agent has been stopped.",
    atOnce: "It gets no more work, effective immediately, and its current tasks are canceled.",
    instruction: "stop",
  },
} as const satisfies Record<ControlAct, { to: ControlState } & Record<string, string>>;

/** The actions available in a control state. */
export function listControlActs(state: ControlState): readonly ControlAct[] {
  if (state === "ACTIVE") return ["pause", "stop"];
  return state === "PAUSED" ? ["resume", "stop"] : ["resume"];
}
