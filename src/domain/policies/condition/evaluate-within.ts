import type { Condition, ConditionError } from "./compile-condition.ts";
import type { ConditionValues } from "./condition-values.ts";

/** What the conditions for one request may still cost, in steps of about 0.1 µs. */
export type StepsLeft = { steps: number };

/** What they may cost in all: about 25 ms. */
export const MOST_STEPS = 250_000;

export const TOO_COSTLY: ConditionError = {
  code: "too_complex",
  message: "would cost too much for this request",
};

/** Evaluates a condition if its price is left, and takes it. */
export function evaluateWithin(
  left: StepsLeft,
  condition: Condition,
  values: Pick<ConditionValues, "variables" | "elements" | "size">,
): boolean | ConditionError {
  const price = getPrice(condition, values);
  if (price > left.steps) return TOO_COSTLY;
  left.steps -= price;
  return condition.evaluate(values.variables);
}

function getPrice(
  { price }: Condition,
  { elements, size }: Pick<ConditionValues, "elements" | "size">,
): number {
  const { fixed, perElement, perByte, perSquareByte } = price;
  return fixed + perElement * elements + (perByte + perSquareByte * size) * size;
}
