import type { BudgetUnit, ReservationStatus } from "../../db/generated/enums.ts";
import type { Amounts } from "./budget-amount.ts";

/** A part of a reservation: what it holds of one budget. */
export type ReservationLine = {
  budgetId: string;
  windowStart: Date;
  subject: string;
  unit: BudgetUnit;
  /** What was reserved. */
  amount: bigint;
  /** What counts as used now. */
  used: bigint;
};

/** A reservation as it is stored. */
export type StoredReservation = {
  id: string;
  agentId: string;
  /** The agent that reserved it for the other one; null if that one did. */
  delegateId: string | null;
  lines: ReservationLine[];
  status: ReservationStatus;
  assumed: boolean;
  /** What was used, if it was settled. */
  amounts: Amounts | null;
  /** What telemetry says was used, if it names the reservation. Below 0 if what takes back came first. */
  reported: Amounts | null;
  decisionId: string | null;
  executionId: string | null;
  expiresAt: Date;
  endedAt: Date | null;
  createdAt: Date;
};

/** A budget that a reservation is for, with the sums of its window. */
export type BudgetState = {
  id: string;
  name: string;
  unit: BudgetUnit;
  /** The agent or the label's value whose sum this is; empty if the budget has one sum. */
  subject: string;
  /** What was reserved of it. */
  amount: bigint;
  limit: bigint;
  used: bigint;
  reserved: bigint;
  windowStart: Date;
  windowEndsAt: Date | null;
};

/** A reservation with the budgets that it is for, without those that were deleted. */
export type ReservationView = Omit<StoredReservation, "lines"> & { budgets: BudgetState[] };

/** A line as JSON has it: amounts as text. */
type LineJson = Omit<ReservationLine, "windowStart" | "amount" | "used"> & {
  windowStart: string;
  amount: string;
  used: string;
};

type AmountsJson = { usd: string | null; tokens: string | null };

/** A row of the table `reservation`, with its JSON columns. */
export type ReservationRow = Omit<StoredReservation, JsonColumn> & Record<JsonColumn, unknown>;

type JsonColumn = "lines" | "amounts" | "reported";

export function toLineJson({ windowStart, amount, used, ...line }: ReservationLine): LineJson {
  return { ...line, windowStart: windowStart.toISOString(), amount: `${amount}`, used: `${used}` };
}

export function toAmountsJson(amounts: Amounts | null): AmountsJson | null {
  return amounts && { usd: toText(amounts.usd), tokens: toText(amounts.tokens) };
}

/** Reads the JSON columns of a row. */
export function toReservation<Row extends Record<JsonColumn, unknown>>(
  row: Row,
): Omit<Row, JsonColumn> & Pick<StoredReservation, JsonColumn> {
  // Written by toLineJson and toAmountsJson.
  const lines = row.lines as LineJson[];
  const [amounts, reported] = [row.amounts as AmountsJson | null, row.reported as AmountsJson | null];
  return {
    ...row,
    lines: lines.map(({ windowStart, amount, used, ...line }) => ({
      ...line,
      windowStart: new Date(windowStart),
      amount: BigInt(amount),
      used: BigInt(used),
    })),
    amounts: amounts && toAmounts(amounts),
    reported: reported && toAmounts(reported),
  };
}

function toAmounts({ usd, tokens }: AmountsJson): Amounts {
  return { usd: toBigInt(usd), tokens: toBigInt(tokens) };
}

/**
 * What was used, as far as somebody says so: what its agent said by settling it, else what telemetry says. Null if
 * neither.
 */
export function getKnownUse({
  amounts,
  reported,
}: Pick<StoredReservation, "amounts" | "reported">): Amounts | null {
  if (reported === null) return amounts;
  return {
    usd: amounts?.usd ?? atLeastNothing(reported.usd),
    tokens: amounts?.tokens ?? atLeastNothing(reported.tokens),
  };
}

function atLeastNothing(amount: bigint | null): bigint | null {
  return amount !== null && amount < 0n ? 0n : amount;
}

function toText(amount: bigint | null): string | null {
  return amount === null ? null : `${amount}`;
}

function toBigInt(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
