import type { ShownBudget } from "../budget-fields.ts";

/** An entered threshold. `id` identifies its row. */
export type TypedThreshold = { id: number; percent: string; action: string };

/** Entered values. "" means not set. */
export type TypedBudget = Readonly<
  Record<
    | "name"
    | "description"
    | "scope"
    | "agent"
    | "label"
    | "value"
    | "unit"
    | "limit"
    | "period"
    | "timeZone"
    | "defaultEstimate"
    | "onExpiry",
    string
  > & { enabled: boolean; thresholds: readonly TypedThreshold[] }
>;

export type ChangeBudget = (changes: Partial<TypedBudget>) => void;

export const EMPTY_BUDGET: TypedBudget = {
  name: "",
  description: "",
  scope: "WORKSPACE",
  agent: "",
  label: "",
  value: "",
  unit: "USD",
  limit: "",
  period: "DAY",
  timeZone: "UTC",
  defaultEstimate: "",
  onExpiry: "CHARGE",
  enabled: true,
  thresholds: [{ id: 1, percent: "80", action: "WARN" }],
};

/** A stored budget as it would be entered. */
export function toTypedBudget(budget: ShownBudget): TypedBudget {
  const { name, description, scope, unit, limit, period, timeZone, onExpiry, enabled } = budget;
  return {
    name,
    description: description ?? "",
    scope: scope.type,
    agent: scope.agentUuid ?? "",
    label: scope.label ?? "",
    value: scope.value ?? "",
    unit,
    limit,
    period,
    timeZone,
    onExpiry,
    enabled,
    defaultEstimate: budget.defaultEstimate ?? "",
    thresholds: budget.thresholds.map(({ percent, action }, place) => ({
      id: place + 1,
      percent: String(percent),
      action,
    })),
  };
}
