import type { ShownAlert } from "./alert-fields.ts";

export type Metric = ShownAlert["metric"];

/** Bounds in seconds. */
export type Range = { min: number; max: number; step: number };

/** What a rule can watch, as the server has it, with words for people. */
export type WatchableMetric = {
  label: string;
  unit: "count" | "share" | "seconds" | "usd";
  /** Null for what is measured at the moment. */
  window: (Range & { default: number }) | null;
  filters: readonly ("agent" | "label" | "queue")[];
  /** What exactly is measured. */
  hint: string;
};

const HOUR = 3600;
const DAY = 24 * HOUR;
const MINUTES = { min: 60, max: DAY, step: 60, default: 900 };
const HOURS = { min: HOUR, max: 7 * DAY, step: HOUR, default: DAY };

/** How long a value must be above the threshold, and how long a rule does not fire again. */
export const FOR_RANGE: Range = { min: 0, max: DAY, step: 1 };
export const COOLDOWN_RANGE: Range = { min: 0, max: 7 * DAY, step: 1 };

export const METRICS: Readonly<Record<Metric, WatchableMetric>> = {
  TASK_FAILURE_RATE: {
    label: "Failure rate of tasks",
    unit: "share",
    window: MINUTES,
    filters: ["agent", "label", "queue"],
    hint: "Failed tasks, of those that completed or failed.",
  },
  QUEUE_DEPTH: {
    label: "Queue depth",
    unit: "count",
    window: null,
    filters: ["queue"],
    hint: "Tasks that wait for an agent.",
  },
  QUEUE_AGE: {
    label: "Queue age",
    unit: "seconds",
    window: null,
    filters: ["queue"],
    hint: "Since when the oldest task waits for an agent.",
  },
  QUESTIONS_WAITING: {
    label: "Questions waiting",
    unit: "count",
    window: null,
    filters: [],
    hint: "Questions of agents that nobody has answered.",
  },
  QUESTION_AGE: {
    label: "Age of questions",
    unit: "seconds",
    window: null,
    filters: [],
    hint: "Since when the oldest question waits for an answer.",
  },
  APPROVALS_WAITING: {
    label: "Approvals waiting",
    unit: "count",
    window: null,
    filters: [],
    hint: "Requests for approval that nobody has decided.",
  },
  APPROVAL_AGE: {
    label: "Age of approvals",
    unit: "seconds",
    window: null,
    filters: [],
    hint: "Since when the oldest request for approval waits.",
  },
  COST_USD: {
    label: "Cost",
    unit: "usd",
    window: HOURS,
    filters: ["agent"],
    hint: "What calls of models cost, in whole hours, the current one included.",
  },
  COMMAND_ACK_P95: {
    label: "Time to acknowledge commands",
    unit: "seconds",
    window: MINUTES,
    filters: ["agent", "label"],
    hint: "The p95.",
  },
  AGENTS_OFFLINE: {
    label: "Agents offline",
    unit: "count",
    window: null,
    filters: ["agent", "label"],
    hint: "Software agents that were connected once.",
  },
  ROBOTS_OFFLINE: {
    label: "Robots offline",
    unit: "count",
    window: null,
    filters: ["agent", "label"],
    hint: "Robots that were connected once.",
  },
};

/** Their names. */
export const METRIC_NAMES = Object.keys(METRICS) as Metric[]; // The keys of a record are its names.

/** The metric of this name, or the first one. */
export function findMetric(name: string): Metric {
  return METRIC_NAMES.find((metric) => metric === name) ?? "TASK_FAILURE_RATE";
}
