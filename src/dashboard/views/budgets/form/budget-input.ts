import type { VariablesOf } from "gql.tada";
import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { UNITS } from "../budget-fields.ts";
import type { CreateBudget } from "./budget-mutations.ts";
import type { TypedBudget, TypedThreshold } from "./typed-budget.ts";

type NewBudget = VariablesOf<typeof CreateBudget>["input"];
type ThresholdInput = NonNullable<NewBudget["thresholds"]>[number];

export const SCOPES = ["WORKSPACE", "EACH_AGENT", "AGENT", "EACH_LABEL", "LABEL"] as const;
export const PERIODS = ["MINUTE", "HOUR", "DAY", "MONTH", "TOTAL"] as const;
export const ACTIONS = ["WARN", "PAUSE", "ASK"] as const;
export const EXPIRIES = ["CHARGE", "RELEASE"] as const;

/** What can be changed later. */
export type BudgetChanges = Pick<
  NewBudget,
  "name" | "description" | "limit" | "thresholds" | "defaultEstimate" | "onExpiry" | "enabled"
>;

/** Parses what can be changed later. What can't be sent at all is found here, everything else by the server. */
export function toBudgetChanges(typed: TypedBudget): { changes: BudgetChanges; problem: UserProblem | null } {
  const { name, description, limit, thresholds, defaultEstimate, onExpiry, enabled, unit } = typed;
  const fields: Record<string, string> = {};
  const changes: BudgetChanges = {
    name,
    limit: limit.trim(),
    enabled,
    description: description.trim() === "" ? null : description,
    thresholds: thresholds.flatMap((one, place) => toThreshold(one, place, fields)),
    ...(unit !== "CALLS" && {
      defaultEstimate: defaultEstimate.trim() === "" ? null : defaultEstimate.trim(),
    }),
    onExpiry: find(EXPIRIES, onExpiry),
  };
  const isReadable = Object.keys(fields).length === 0;
  return {
    changes,
    problem: isReadable ? null : { text: "Some fields are invalid.", code: "TYPED", fields },
  };
}

/** What can't be changed later. */
export function toBudgetRule(typed: TypedBudget): Pick<NewBudget, "scope" | "unit" | "period" | "timeZone"> {
  const type = find(SCOPES, typed.scope);
  return {
    unit: find(UNITS, typed.unit),
    period: find(PERIODS, typed.period),
    timeZone: typed.timeZone.trim() === "" ? null : typed.timeZone.trim(),
    scope: {
      type,
      ...(type === "AGENT" && { agentId: typed.agent === "" ? null : toGlobalId("Agent", typed.agent) }),
      ...((type === "EACH_LABEL" || type === "LABEL") && { label: typed.label.trim() }),
      ...(type === "LABEL" && { value: typed.value.trim() }),
    },
  };
}

function toThreshold(
  { percent, action }: TypedThreshold,
  place: number,
  fields: Record<string, string>,
): ThresholdInput[] {
  const value = Number(percent);
  if (percent.trim() !== "" && Number.isInteger(value) && Math.abs(value) < 2 ** 31) {
    return [{ percent: value, action: find(ACTIONS, action) }];
  }
  fields[`thresholds.${place}.percent`] = "Enter a whole number.";
  return [];
}

/** One of some values, the first if it is none of them. */
function find<const Values extends readonly [string, ...string[]]>(
  values: Values,
  typed: string,
): Values[number] {
  return values.find((value) => value === typed) ?? values[0];
}
