import type { VariablesOf } from "gql.tada";
import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { type TypedDuration, toSeconds } from "../../../ui/form/typed-duration.ts";
import { formatDuration } from "../../../ui/words.ts";
import { COOLDOWN_RANGE, FOR_RANGE, METRICS, type Range } from "../alert-metrics.ts";
import type { CreateAlertRule } from "./alert-mutations.ts";
import { type TypedAlert, findScope } from "./typed-alert.ts";

type NewAlert = VariablesOf<typeof CreateAlertRule>["input"];

/** What can be changed later. */
export type AlertChanges = Pick<
  NewAlert,
  "name" | "description" | "windowSeconds" | "threshold" | "forSeconds" | "cooldownSeconds" | "enabled"
>;

type Problems = Record<string, string>;

/** Parses what can be changed later. Numbers and times are checked here, everything else by the server. */
export function toAlertChanges(typed: TypedAlert): { changes: AlertChanges; problem: UserProblem | null } {
  const { name, description, enabled, metric } = typed;
  const { window } = METRICS[metric];
  const fields: Problems = {};
  const changes: AlertChanges = {
    name,
    enabled,
    description: description.trim() === "" ? null : description,
    threshold: parseThreshold(typed, fields),
    ...(window !== null && { windowSeconds: parseTime(typed.window, ["windowSeconds", window], fields) }),
    forSeconds: parseTime(typed.for, ["forSeconds", FOR_RANGE], fields),
    cooldownSeconds: parseTime(typed.cooldown, ["cooldownSeconds", COOLDOWN_RANGE], fields),
  };
  const isReadable = Object.keys(fields).length === 0;
  return {
    changes,
    problem: isReadable ? null : { text: "Some fields are invalid.", code: "TYPED", fields },
  };
}

/** What can't be changed later. */
export function toWatchedInput(typed: TypedAlert): Pick<NewAlert, "metric" | "watched"> {
  const { metric, agent, label, labelValue, queue } = typed;
  const scope = findScope(typed);
  const hasQueue = METRICS[metric].filters.includes("queue") && queue.trim() !== "";
  return {
    metric,
    watched: {
      ...(scope === "AGENT" && { agentId: toGlobalId("Agent", agent) }),
      ...(scope === "LABEL" && { label: label.trim(), labelValue: labelValue.trim() }),
      ...(hasQueue && { queue: queue.trim() }),
    },
  };
}

/** Never above it is what is at most 100 percent. */
function parseThreshold({ metric, amount, time }: TypedAlert, fields: Problems): number {
  const { unit } = METRICS[metric];
  const value = unit === "seconds" ? toSeconds(time) : parseNumber(amount);
  if (value === null) {
    fields.threshold = unit === "seconds" ? "Enter a time." : "Enter a number of 0 or more.";
    return 0;
  }
  if (unit !== "share") return value;
  if (value >= 100) fields.threshold = "Enter less than 100: nothing is above it.";
  return value / 100;
}

function parseNumber(amount: string): number | null {
  const value = Number(amount);
  return amount.trim() !== "" && Number.isFinite(value) && value >= 0 ? value : null;
}

function parseTime(typed: TypedDuration, [field, range]: [string, Range], fields: Problems): number {
  const { min, max, step } = range;
  const seconds = toSeconds(typed);
  if (seconds !== null && seconds >= min && seconds <= max && seconds % step === 0) return seconds;
  fields[field] =
    `Enter ${formatDuration(min)} to ${formatDuration(max)}, in whole ${STEPS[step] ?? "seconds"}.`;
  return min;
}

const STEPS: Readonly<Record<number, string>> = { 1: "seconds", 60: "minutes", 3600: "hours" };
