import { z } from "zod";
import { BudgetExpiry, BudgetPeriod, BudgetScope, BudgetUnit } from "../../db/generated/enums.ts";
import { createFieldError } from "../kernel/errors.ts";
import { name, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { explainAmount, getEstimateRange, getLimitRange, parseAmount } from "./budget-amount.ts";
import { findTimeZone } from "./budget-period.ts";

export const THRESHOLD_ACTIONS = ["warn", "pause", "ask"] as const;

/** What happens when a share of the limit is used or reserved. */
export type Threshold = { percent: number; action: (typeof THRESHOLD_ACTIONS)[number] };

const threshold = z.strictObject({
  percent: z.int().min(1).max(100),
  action: z.enum(THRESHOLD_ACTIONS),
});

const thresholds = z
  .array(threshold)
  .max(LIMITS.budgetThresholds)
  .refine(
    (list) => new Set(list.map(({ percent }) => percent)).size === list.length,
    "must not have a percentage twice",
  )
  .transform((list) => list.toSorted((one, other) => one.percent - other.percent));

const scope = z
  .strictObject({
    type: z.enum(BudgetScope),
    agentId: uuid.nullish(),
    label: text(LIMITS.labelLength).nullish(),
    value: text(LIMITS.labelLength, 0).nullish(),
  })
  .superRefine((given, context) => {
    for (const field of ["agentId", "label", "value"] as const) {
      const isGiven = given[field] !== null && given[field] !== undefined;
      if (isGiven === SCOPE_FIELDS[given.type].includes(field)) continue;
      const message = isGiven ? `can't be given with ${given.type}` : `is required with ${given.type}`;
      context.addIssue({ code: "custom", path: [field], message });
    }
  });

const SCOPE_FIELDS: Record<BudgetScope, readonly string[]> = {
  workspace: [],
  each_agent: [],
  agent: ["agentId"],
  each_label: ["label"],
  label: ["label", "value"],
};

const timeZone = text(LIMITS.labelLength).transform((given, context) => {
  const zone = findTimeZone(given);
  if (zone !== null) return zone;
  context.addIssue({ code: "custom", message: "must be the name of a time zone, such as Europe/Berlin" });
  return z.NEVER;
});

const budgetName = name(LIMITS.nameLength);
const description = text(LIMITS.textLength).nullable();
/** Parsed by its unit. */
const amount = z.string();

/** A new budget. Amounts are text: dollars as `0.42`, tokens and calls as whole numbers. */
export const newBudget = z.strictObject({
  name: budgetName,
  description: description.default(null),
  scope,
  unit: z.enum(BudgetUnit),
  limit: amount,
  period: z.enum(BudgetPeriod),
  timeZone: timeZone.default("UTC"),
  thresholds: thresholds.default([]),
  defaultEstimate: amount.nullable().default(null),
  onExpiry: z.enum(BudgetExpiry).default("charge"),
  enabled: z.boolean().default(true),
});

/** What can be changed of a budget. Its sums would mean something else with another scope, unit or period. */
export const budgetChanges = z.strictObject({
  name: budgetName.exactOptional(),
  description: description.exactOptional(),
  limit: amount.exactOptional(),
  thresholds: thresholds.exactOptional(),
  defaultEstimate: amount.nullable().exactOptional(),
  onExpiry: z.enum(BudgetExpiry).exactOptional(),
  enabled: z.boolean().exactOptional(),
});

/** @throws {DomainError} validation_failed. */
export function parseLimit(unit: BudgetUnit, limit: string): bigint {
  return parseWithin(unit, limit, { field: "limit", ...getLimitRange(unit) });
}

/**
 * Parses what is reserved where a caller does not say how much. Calls count as one each.
 *
 * @throws {DomainError} validation_failed, also if it is missing or not needed.
 */
export function parseEstimate(unit: BudgetUnit, estimate: string | null): bigint | null {
  const field = "defaultEstimate";
  if (unit === "calls") {
    if (estimate === null) return null;
    throw createFieldError(field, "can't be given with calls: each counts as 1");
  }
  if (estimate === null) throw createFieldError(field, `is required with ${unit}`);
  return parseWithin(unit, estimate, { field, ...getEstimateRange(unit) });
}

type Range = { field: string; min: bigint; max: bigint };

function parseWithin(unit: BudgetUnit, given: string, { field, min, max }: Range): bigint {
  const parsed = parseAmount(unit, given);
  if (parsed !== null && parsed >= min && parsed <= max) return parsed;
  throw createFieldError(field, explainAmount(unit, { min, max }));
}
