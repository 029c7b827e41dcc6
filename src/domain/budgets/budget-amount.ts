import { z } from "zod";
import type { BudgetUnit } from "../../db/generated/enums.ts";
import { LIMITS } from "../kernel/limits.ts";

/** What an agent may use or used. `usd` is in micro-dollars. Null: not said. */
export type Amounts = { usd: bigint | null; tokens: bigint | null };

/** Dollars have at most 10 digits before the point, and 6 after it. */
const USD = /^(\d{1,10})(?:\.(\d{1,6}))?$/;
const WHOLE = /^\d{1,16}$/;

const DECIMALS = 6;
const MICROS = 1_000_000n;

/** Reads an amount from text: dollars as `0.42`, tokens and calls as whole numbers. Null if it is none. */
export function parseAmount(unit: BudgetUnit, text: string): bigint | null {
  if (unit !== "usd") return WHOLE.test(text) ? BigInt(text) : null;
  const [found, dollars = "", rest = ""] = USD.exec(text) ?? [];
  if (found === undefined) return null;
  return BigInt(dollars) * MICROS + BigInt(rest.padEnd(DECIMALS, "0"));
}

/** Writes an amount as {@link parseAmount} reads it, without zeros at its end. */
export function formatAmount(unit: BudgetUnit, amount: bigint): string {
  if (unit !== "usd") return `${amount}`;
  // At most six digits, which a number of this size writes without an exponent.
  const fraction = `${Number(amount % MICROS) / Number(MICROS)}`;
  return `${amount / MICROS}${fraction.slice(1)}`;
}

/** Says which texts {@link parseAmount} takes, for an error. */
export function explainAmount(unit: BudgetUnit, { min, max }: { min: bigint; max: bigint }): string {
  const range = `from ${formatAmount(unit, min)} to ${formatAmount(unit, max)}`;
  return unit === "usd"
    ? `must be dollars ${range} as text, with at most ${DECIMALS} decimal places`
    : `must be a whole number ${range} as text`;
}

function amountOf(unit: BudgetUnit, max: bigint) {
  return z
    .string()
    .transform((text, context) => {
      const amount = parseAmount(unit, text);
      if (amount !== null && amount <= max) return amount;
      context.addIssue({ code: "custom", message: explainAmount(unit, { min: 0n, max }) });
      return z.NEVER;
    })
    .nullable()
    .default(null);
}

/** The amounts of one reservation. */
export const amounts = z.strictObject({
  usd: amountOf("usd", BigInt(LIMITS.reservedUsd) * MICROS),
  tokens: amountOf("tokens", BigInt(LIMITS.reservedTokens)),
});

/** The least and the largest limit of a budget. */
export function getLimitRange(unit: BudgetUnit): { min: bigint; max: bigint } {
  const max = BigInt(unit === "usd" ? LIMITS.budgetUsd : LIMITS.budgetCount);
  return { min: 1n, max: unit === "usd" ? max * MICROS : max };
}

/** The least and the largest default estimate of a budget. It is never 0: what is not known is not free. */
export function getEstimateRange(unit: BudgetUnit): { min: bigint; max: bigint } {
  const max = unit === "usd" ? BigInt(LIMITS.reservedUsd) * MICROS : BigInt(LIMITS.reservedTokens);
  return { min: 1n, max };
}
