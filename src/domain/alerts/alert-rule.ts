import { z } from "zod";
import { AlertMetric } from "../../db/generated/enums.ts";
import { createFieldError } from "../kernel/errors.ts";
import { handle, name, text, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { ALERT_METRICS, type Filter } from "./alert-metrics.ts";

/** The most alert rules of a workspace. */
export const ALERT_RULES = 100;
/** How long a value must be above its threshold, and how long a rule does not fire again, in seconds. */
export const FOR_SECONDS = { min: 0, max: 86_400, default: 0 };
export const COOLDOWN_SECONDS = { min: 0, max: 604_800, default: 300 };

const ruleName = name(LIMITS.nameLength);
const description = text(LIMITS.textLength).nullable();
const threshold = z.number().min(0).max(1e12);
const windowSeconds = z.int().nullable();
const forSeconds = wholeNumber(FOR_SECONDS);
const cooldownSeconds = wholeNumber(COOLDOWN_SECONDS);

/** Of which agents, or of which queue, a metric is read. */
const watched = z.strictObject({
  agentId: uuid.nullable().default(null),
  label: text(LIMITS.labelLength).nullable().default(null),
  labelValue: text(LIMITS.labelLength, 0).nullable().default(null),
  queue: handle.nullable().default(null),
});

export type WatchedScope = z.output<typeof watched>;

export const newAlertRule = z.strictObject({
  name: ruleName,
  description: description.default(null),
  metric: z.enum(AlertMetric),
  watched: watched.prefault({}),
  windowSeconds: windowSeconds.default(null),
  threshold,
  forSeconds: forSeconds.default(FOR_SECONDS.default),
  cooldownSeconds: cooldownSeconds.default(COOLDOWN_SECONDS.default),
  enabled: z.boolean().default(true),
});

/** What can be changed of a rule. With another metric or filter it would be another one. */
export const alertRuleChanges = z.strictObject({
  name: ruleName.exactOptional(),
  description: description.exactOptional(),
  windowSeconds: windowSeconds.exactOptional(),
  threshold: threshold.exactOptional(),
  forSeconds: forSeconds.exactOptional(),
  cooldownSeconds: cooldownSeconds.exactOptional(),
  enabled: z.boolean().exactOptional(),
});

/** @throws {DomainError} validation_failed for a window that the metric does not have. */
export function requireWindow(metric: AlertMetric, seconds: number | null): void {
  const { window } = ALERT_METRICS[metric];
  if (window === null) {
    if (seconds !== null) throw createFieldError("windowSeconds", `can't be given with ${metric}`);
    return;
  }
  const { min, max, step } = window;
  if (seconds !== null && seconds >= min && seconds <= max && seconds % step === 0) return;
  const steps = step === 1 ? "" : `, a multiple of ${step}`;
  throw createFieldError("windowSeconds", `must be from ${min} to ${max} with ${metric}${steps}`);
}

/** @throws {DomainError} validation_failed for a filter that the metric does not have, or half a label. */
export function requireWatched(
  metric: AlertMetric,
  { agentId, label, labelValue, queue }: WatchedScope,
): void {
  const { filters } = ALERT_METRICS[metric];
  const given: Record<Filter, string | null> = { agent: agentId, label, queue };
  for (const [name, field] of FILTER_FIELDS) {
    if (given[name] !== null && !filters.includes(name)) {
      throw createFieldError(`watched.${field}`, `can't be given with ${metric}`);
    }
  }
  if ((label === null) !== (labelValue === null)) {
    throw createFieldError("watched.labelValue", "and label must be given together");
  }
  if (agentId !== null && label !== null) {
    throw createFieldError("watched.label", "can't be given with agentId");
  }
}

const FILTER_FIELDS: readonly [Filter, string][] = [
  ["agent", "agentId"],
  ["label", "label"],
  ["queue", "queue"],
];
