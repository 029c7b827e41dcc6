import { type TypedDuration, toTypedDuration } from "../../../ui/form/typed-duration.ts";
import type { ShownAlert } from "../alert-fields.ts";
import { METRICS, type Metric, findMetric } from "../alert-metrics.ts";

/** Of which agents a metric is read. */
export const SCOPES = ["WORKSPACE", "AGENT", "LABEL"] as const;
export type Scope = (typeof SCOPES)[number];

/** Entered values. "" means not set. */
export type TypedAlert = Readonly<
  Record<"name" | "description" | "scope" | "agent" | "label" | "labelValue" | "queue", string> & {
    metric: Metric;
    /** Of metrics that are counts, shares or dollars; shares in percent. */
    amount: string;
    /** The threshold of metrics that are times. */
    time: TypedDuration;
    window: TypedDuration;
    for: TypedDuration;
    cooldown: TypedDuration;
    enabled: boolean;
  }
>;

export type ChangeAlert = (changes: Partial<TypedAlert>) => void;

const NO_TIME: TypedDuration = { amount: "", unit: "60" };
const USUAL_COOLDOWN_SECONDS = 300;
/** A share of 0.07 is 7 percent, not 7.000000000000001. */
const DIGITS = 12;

export const EMPTY_ALERT: TypedAlert = {
  name: "",
  description: "",
  scope: "WORKSPACE",
  agent: "",
  label: "",
  labelValue: "",
  queue: "",
  ...toMetricFields("TASK_FAILURE_RATE"),
  for: { ...NO_TIME, amount: "0" },
  cooldown: toTypedDuration(USUAL_COOLDOWN_SECONDS),
  enabled: true,
};

/** What is entered anew for another metric: its threshold and window. */
export function toMetricFields(name: string): Pick<TypedAlert, "metric" | "amount" | "time" | "window"> {
  const metric = findMetric(name);
  const { window } = METRICS[metric];
  return {
    metric,
    amount: "",
    time: NO_TIME,
    window: window === null ? NO_TIME : toTypedDuration(window.default),
  };
}

/** The chosen scope, or the workspace if the metric has no such filter. */
export function findScope({ metric, scope }: Pick<TypedAlert, "metric" | "scope">): Scope {
  return listScopes(metric).find((one) => one === scope) ?? "WORKSPACE";
}

/** What a metric can be narrowed to. */
export function listScopes(metric: Metric): Scope[] {
  const { filters } = METRICS[metric];
  return SCOPES.filter(
    (scope) => scope === "WORKSPACE" || filters.includes(scope === "AGENT" ? "agent" : "label"),
  );
}

/** A stored rule as it would be entered. What it watches isn't part of the form. */
export function toTypedAlert(rule: ShownAlert): TypedAlert {
  const { name, description, metric, threshold, windowSeconds, forSeconds, cooldownSeconds, enabled } = rule;
  const { unit } = METRICS[metric];
  return {
    ...EMPTY_ALERT,
    ...{ name, metric, enabled, description: description ?? "" },
    amount: String(unit === "share" ? Number((threshold * 100).toPrecision(DIGITS)) : threshold),
    time: unit === "seconds" ? toTypedDuration(threshold) : NO_TIME,
    window: windowSeconds === null ? NO_TIME : toTypedDuration(windowSeconds),
    for: forSeconds === 0 ? EMPTY_ALERT.for : toTypedDuration(forSeconds),
    cooldown: cooldownSeconds === 0 ? EMPTY_ALERT.for : toTypedDuration(cooldownSeconds),
  };
}
