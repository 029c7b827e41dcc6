import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import { type Amounts, formatAmount } from "./budget-amount.ts";
import { type BudgetAgent, type KnownBudget, findSubject } from "./known-budgets.ts";
import {
  type Ledger,
  type LedgerAgent,
  type WindowKey,
  type WindowSums,
  hasReached,
  moveLine,
  toWindowName,
} from "./ledger.ts";
import type { ReservationLine, StoredReservation } from "./reservation.ts";

/** What an agent wants to reserve. */
export type NewReservation = {
  id: string;
  agentId: string;
  /** The agent that reserves it for the other one; null if that one does. */
  delegateId: string | null;
  amounts: Amounts;
  expiresInSeconds: number;
  decisionId: string | null;
  /** Whether the caller's Idempotency-Key is the reservation's. */
  isRepeatable: boolean;
};

/** A reservation, and whether a threshold of one of its budgets says that a person is to be asked. */
export type Admission = { reservation: StoredReservation; asks: boolean };

type Wanted = { budget: KnownBudget; window: WindowSums; line: ReservationLine };

/**
 * Reserves of all budgets that apply to an agent, or of none: used and reserved together stay within each limit.
 *
 * @throws {DomainError} emergency_stop; agent_paused; budget_exceeded with the budget that frees itself last.
 */
export function admitReservation(ledger: Ledger, asked: NewReservation): Admission {
  const wanted = listWanted(ledger, requireActive(ledger, asked.agentId), asked.amounts);
  const full = wanted.filter(
    ({ window, line }) => window.used + window.reserved + line.amount > window.limit,
  );
  if (full.length > 0) throw createExceededError(ledger, full);
  const asks = wanted.some(({ budget, window }) =>
    budget.thresholds.some(({ percent, action }) => action === "ask" && hasReached(window, percent)),
  );
  const reservation: StoredReservation = {
    id: asked.id,
    agentId: asked.agentId,
    delegateId: asked.delegateId,
    lines: wanted.map(({ line }) => line),
    status: "held",
    assumed: false,
    amounts: null,
    reported: null,
    endedAt: null,
    executionId: null,
    decisionId: asked.decisionId,
    createdAt: ledger.now,
    expiresAt: new Date(ledger.now.getTime() + asked.expiresInSeconds * 1000),
  };
  ledger.reservations.set(reservation.id, reservation);
  ledger.newReservations.add(reservation);
  for (const line of reservation.lines) {
    // A call that was admitted is made.
    const isCall = line.unit === "calls";
    const [used, reserved] = isCall ? [line.amount, 0n] : [0n, line.amount];
    moveLine(ledger, reservation, { line, used, reserved });
  }
  return { reservation, asks };
}

/** A sum of the period of now, with what it is made with if it does not exist. */
export type CurrentWindow = WindowKey & { windowEnd: Date | null; limit: bigint };

/** Lists the sums that an agent's reservation would count in, whether they exist yet or not. */
export function listCurrentWindows(
  budgets: Iterable<KnownBudget>,
  agent: BudgetAgent,
  now: Date,
): CurrentWindow[] {
  const keys: CurrentWindow[] = [];
  for (const budget of budgets) {
    const subject = budget.enabled ? findSubject(budget, agent) : null;
    if (subject === null) continue;
    const { start, end } = budget.findPeriod(now);
    keys.push({ budgetId: budget.id, windowStart: start, subject, windowEnd: end, limit: budget.limit });
  }
  return keys;
}

function requireActive({ agents }: Ledger, agentId: string): LedgerAgent {
  const agent = agents.get(agentId);
  if (agent === undefined) throw createNotFoundError("agent");
  if (agent.isStopped) throw new DomainError("emergency_stop", "The agent is stopped by an emergency stop.");
  if (agent.isArchived || agent.controlState !== "active") {
    throw new DomainError("agent_paused", "The agent is paused or stopped.");
  }
  return agent;
}

function listWanted({ budgets, windows, now }: Ledger, agent: LedgerAgent, amounts: Amounts): Wanted[] {
  return listCurrentWindows(budgets.values(), agent, now).map(({ budgetId, windowStart, subject }) => {
    const budget = budgets.get(budgetId);
    const window = windows.get(toWindowName({ budgetId, windowStart, subject }));
    if (budget === undefined || window === undefined) throw new Error("a budget's window is missing");
    const { unit } = budget;
    const amount = getAmount(budget, amounts);
    return { budget, window, line: { budgetId, windowStart, subject, unit, amount, used: 0n } };
  });
}

/** What is not said is estimated, so that it is never free. */
export function getAmount({ unit, defaultEstimate }: KnownBudget, amounts: Amounts): bigint {
  if (unit === "calls") return 1n;
  const amount = amounts[unit] ?? defaultEstimate;
  if (amount === null) throw new Error("a budget has no default estimate");
  return amount;
}

function createExceededError({ now }: Ledger, full: readonly Wanted[]): DomainError {
  const [last] = full
    .map((one) => ({ one, seconds: getWaitSeconds(one, now) }))
    .toSorted((one, other) => (other.seconds ?? Infinity) - (one.seconds ?? Infinity));
  if (last === undefined) throw new Error("no budget is exceeded");
  const { budget, window, line } = last.one;
  const { id, name, unit } = budget;
  function show(amount: bigint): string {
    return formatAmount(unit, amount);
  }
  const [limit, used, reserved] = [show(window.limit), show(window.used), show(window.reserved)];
  const message = `The budget "${name}" has no room for ${show(line.amount)} ${unit}: of ${limit}, ${used} are used and ${reserved} reserved.`;
  return new DomainError("budget_exceeded", message, {
    budget: { id, name, unit, limit, used, reserved },
    retryAfterSeconds: last.seconds,
  });
}

/** Seconds to the next window. Null if there is none, or if that would have no room either. */
function getWaitSeconds({ window, line }: Wanted, now: Date): number | null {
  if (window.windowEnd === null || line.amount > window.limit) return null;
  return Math.max(1, Math.ceil((window.windowEnd.getTime() - now.getTime()) / 1000));
}
