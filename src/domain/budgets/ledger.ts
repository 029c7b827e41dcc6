import type { ControlState } from "../../db/generated/enums.ts";
import type { AuditInput, EventInput } from "../kernel/events.ts";
import type { Threshold } from "./budget-rule.ts";
import type { BudgetAgent, KnownBudget } from "./known-budgets.ts";
import type { BudgetState, ReservationLine, ReservationView, StoredReservation } from "./reservation.ts";

/** Names one sum of a budget. */
export type WindowKey = { budgetId: string; windowStart: Date; subject: string };

/** One sum of a budget. */
export type WindowSums = WindowKey & {
  windowEnd: Date | null;
  limit: bigint;
  used: bigint;
  reserved: bigint;
  /** What of `used` was charged when reservations expired, without being known. */
  assumed: bigint;
  /** What telemetry says of calls without a reservation. Part of `used` while it is above 0. */
  reported: bigint;
  firedPercent: number;
  pauseDue: boolean;
};

export type LedgerAgent = BudgetAgent & {
  controlState: ControlState;
  isArchived: boolean;
  isStopped: boolean;
};

/**
 * What a batch of operations works on: locked rows of one workspace, and what is to be written. Operations change it
 * one after the other.
 */
export type Ledger = {
  now: Date;
  agents: ReadonlyMap<string, LedgerAgent>;
  budgets: ReadonlyMap<string, KnownBudget>;
  windows: ReadonlyMap<string, WindowSums>;
  /** Also those that were made by an earlier operation. */
  reservations: Map<string, StoredReservation>;
  /** Kept charges that no other node counts. */
  lockedCharges: Set<string>;
  /** What changed, to be written. */
  countedCharges: Set<string>;
  movedWindows: Set<WindowSums>;
  newReservations: Set<StoredReservation>;
  changedReservations: Set<StoredReservation>;
  events: EventInput[];
  audit: AuditInput[];
};

/** Sums stay below it, so that they can always be added. */
const MOST = 2n ** 61n;

export function toWindowName({ budgetId, windowStart, subject }: WindowKey): string {
  return `${budgetId} ${windowStart.getTime()} ${subject}`;
}

/** Keeps a sum within what can always be added. */
export function clamp(sum: bigint): bigint {
  if (sum > MOST) return MOST;
  return sum < -MOST ? -MOST : sum;
}

/** What an operation adds to sums. */
type Move = { used: bigint; reserved: bigint };

/** Adds to the sums that a reservation's line counts in. Sums of deleted budgets are gone. */
export function moveLine(
  ledger: Ledger,
  { agentId }: { agentId: string },
  { line, ...move }: Move & { line: ReservationLine },
): void {
  const window = ledger.windows.get(toWindowName(line));
  if (window !== undefined) line.used += moveWindow(ledger, window, { agentId, ...move });
}

/**
 * Adds to a sum what was reported. What takes back may come before what it takes back, so that less than nothing was
 * reported for a while: then nothing of it is used.
 */
export function moveReported(
  ledger: Ledger,
  window: WindowSums,
  { agentId, amount }: { agentId: string; amount: bigint },
): void {
  const before = window.reported;
  window.reported = clamp(before + amount);
  const used = atLeastNothing(window.reported) - atLeastNothing(before);
  moveWindow(ledger, window, { agentId, used, reserved: 0n });
}

function atLeastNothing(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}

/**
 * Adds to a sum, and says what that reached: thresholds, or that the limit was passed.
 *
 * @returns what was added to `used`.
 */
function moveWindow(
  ledger: Ledger,
  window: WindowSums,
  { agentId, used, reserved }: Move & { agentId: string },
): bigint {
  const [before, wasOver] = [window.used, isOver(window)];
  window.used = atLeastNothing(clamp(before + used));
  window.reserved += reserved;
  ledger.movedWindows.add(window);
  if (!wasOver && isOver(window)) ledger.events.push(toEvent("budget.overrun", window, { agentId }));
  fireThresholds(ledger, window, agentId);
  return window.used - before;
}

/** Counts the use of a reservation's lines as assumed, or with -1 no longer. Calls are always known. */
export function countAssumed(
  ledger: Ledger,
  { lines }: Pick<StoredReservation, "lines">,
  sign: 1n | -1n,
): void {
  for (const line of lines) {
    const window = ledger.windows.get(toWindowName(line));
    if (line.unit === "calls" || window === undefined) continue;
    window.assumed += sign * line.used;
    ledger.movedWindows.add(window);
  }
}

function isOver({ used, reserved, limit }: WindowSums): boolean {
  return used + reserved > limit;
}

/** Whether a share of the limit is used or reserved. */
export function hasReached({ used, reserved, limit }: WindowSums, percent: number): boolean {
  return (used + reserved) * 100n >= limit * BigInt(percent);
}

/** Each threshold fires once in a window. */
function fireThresholds({ budgets, events }: Ledger, window: WindowSums, agentId: string): void {
  const budget = budgets.get(window.budgetId);
  if (budget?.enabled !== true) return;
  const reached = budget.thresholds.filter(
    ({ percent }) => percent > window.firedPercent && hasReached(window, percent),
  );
  for (const { percent, action } of reached) {
    window.firedPercent = percent;
    window.pauseDue ||= action === "pause";
    events.push(toEvent("budget.threshold", window, { agentId, threshold: { percent, action } }));
  }
}

function toEvent(
  type: string,
  { budgetId, subject, windowStart }: WindowSums,
  { agentId, threshold = {} }: { agentId: string; threshold?: Partial<Threshold> },
): EventInput {
  return {
    type,
    subjectType: "budget",
    subjectId: budgetId,
    agentId,
    data: { ...threshold, subject, window_start: windowStart.toISOString() },
  };
}

/** Shows a reservation with the sums as they are now. */
export function toView(ledger: Ledger, { lines, ...reservation }: StoredReservation): ReservationView {
  const budgets = lines.flatMap((line): BudgetState[] => {
    const window = ledger.windows.get(toWindowName(line));
    const budget = ledger.budgets.get(line.budgetId);
    return window === undefined || budget === undefined ? [] : [toBudgetState(budget, window, line)];
  });
  return { ...reservation, budgets };
}

function toBudgetState(
  { id, name, unit }: KnownBudget,
  window: WindowSums,
  { amount }: ReservationLine,
): BudgetState {
  const { subject, limit, used, reserved, windowStart, windowEnd } = window;
  return { id, name, unit, subject, amount, limit, used, reserved, windowStart, windowEndsAt: windowEnd };
}
