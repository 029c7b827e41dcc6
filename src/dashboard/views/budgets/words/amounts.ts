import type { ShownBudget, ShownSum } from "../budget-fields.ts";

export type Unit = ShownBudget["unit"];

/** A sum as numbers, precise enough for shares and times. */
export type SumNumbers = Record<"limit" | "used" | "reserved" | "assumed", number>;

export function toNumbers({ limit, used, reserved, assumed }: ShownSum): SumNumbers {
  return {
    limit: Number(limit),
    used: Number(used),
    reserved: Number(reserved),
    assumed: Number(assumed),
  };
}

const WHOLE = new Intl.NumberFormat("en");
const CENTS = 2;
const MICROS = 6;

/** Writes an amount as the API has it for people: "$12.50", "$0.000012", "1,000 tokens". Cents are rounded down. */
export function formatAmount(unit: Unit, amount: string): string {
  if (unit === "USD") return `$${formatDollars(amount)}`;
  const name = unit === "CALLS" ? "call" : "token";
  return `${WHOLE.format(BigInt(amount))} ${amount === "1" ? name : `${name}s`}`;
}

/** As text, because a number of dollars can have more digits than a double. Less than a dollar has up to six digits. */
function formatDollars(amount: string): string {
  const [dollars = "0", fraction = ""] = amount.split(".");
  const digits = dollars === "0" ? MICROS : CENTS;
  const cents = fraction === "" ? "" : `.${fraction.padEnd(CENTS, "0").slice(0, digits)}`;
  return `${WHOLE.format(BigInt(dollars))}${cents}`;
}

const PERIODS = {
  MINUTE: "a minute",
  HOUR: "an hour",
  DAY: "a day",
  MONTH: "a month",
  TOTAL: "in all",
} as const;

/** "$10 a day" */
export function describeLimit({
  unit,
  limit,
  period,
}: Pick<ShownBudget, "unit" | "limit" | "period">): string {
  return `${formatAmount(unit, limit)} ${PERIODS[period]}`;
}
