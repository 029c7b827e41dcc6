import type { ShownAgent } from "./agent-query.ts";

/** What changes what an agent may do. */
export type ControlAct = "pause" | "resume" | "stop";

type ControlState = ShownAgent["controlState"];

/** What each is called, what it leads to and what it does. */
export const CONTROL_ACTS = {
  pause: {
    label: "Pause",
    title: "Pause the agent",
    to: "PAUSED",
    done: "The agent is paused.",
    atOnce: "At once, it gets no more work from here. What it works on now it may complete.",
    instruction: "pause",
  },
  resume: {
    label: "Resume",
    title: "Resume the agent",
    to: "ACTIVE",
    done: "The agent may work again.",
    atOnce: "At once, it may claim work again.",
    instruction: "go on",
  },
  stop: {
    label: "Stop",
    title: "Stop the agent",
    to: "STOPPED",
    done: "The agent is stopped.",
    atOnce: "At once, it gets no more work from here, and the tasks that it holds are canceled.",
    instruction: "stop",
  },
} as const satisfies Record<ControlAct, { to: ControlState } & Record<string, string>>;

/** What can be done in a state. */
export function listControlActs(state: ControlState): readonly ControlAct[] {
  if (state === "ACTIVE") return ["pause", "stop"];
  return state === "PAUSED" ? ["resume", "stop"] : ["resume"];
}
