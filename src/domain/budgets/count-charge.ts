import { type CurrentWindow, listCurrentWindows } from "./admit-reservation.ts";
import { reportUse } from "./end-reservation.ts";
import type { BudgetAgent, KnownBudget } from "./known-budgets.ts";
import { type Ledger, moveReported, toWindowName } from "./ledger.ts";
import type { ReportedCharge } from "./reported-charge.ts";
import type { StoredReservation } from "./reservation.ts";

/**
 * Counts what telemetry says that an agent used: for the reservation that it names, else in all budgets of dollars or
 * tokens that apply to the agent, in the period in which the call first came. Nothing to do if another node does.
 */
export function countCharge(ledger: Ledger, charge: ReportedCharge): void {
  if (!ledger.lockedCharges.delete(charge.id)) return;
  ledger.countedCharges.add(charge.id);
  const reservation = findReservation(ledger, charge);
  if (reservation !== null) return reportUse(ledger, reservation, charge.amounts);
  const agent = ledger.agents.get(charge.agentId);
  if (agent === undefined) return;
  for (const key of listChargedWindows([...ledger.budgets.values()], agent, charge)) {
    const budget = ledger.budgets.get(key.budgetId);
    const window = ledger.windows.get(toWindowName(key));
    if (budget === undefined || window === undefined) throw new Error("a budget's window is missing");
    moveReported(ledger, window, { agentId: agent.id, amount: getAmount(charge, budget) });
  }
}

/** Lists the sums in which a charge of an agent counts. What was used before a budget was created does not. */
export function listChargedWindows(
  budgets: readonly KnownBudget[],
  agent: BudgetAgent,
  charge: ReportedCharge,
): CurrentWindow[] {
  const counting = budgets.filter(
    (budget) => budget.createdAt <= charge.at && getAmount(charge, budget) !== 0n,
  );
  return listCurrentWindows(counting, agent, charge.at);
}

/** The agent's own, which nobody has given back; what a delegate has reserved, that one alone can settle. */
function findReservation(
  { reservations }: Ledger,
  { reservationId, agentId, senderId }: ReportedCharge,
): StoredReservation | null {
  const found = reservations.get(reservationId ?? "");
  if (found === undefined || found.agentId !== agentId || found.status === "released") return null;
  return found.delegateId === null || found.delegateId === senderId ? found : null;
}

/** Calls are counted where they are asked for. */
function getAmount({ amounts }: ReportedCharge, { unit }: KnownBudget): bigint {
  return unit === "calls" ? 0n : (amounts[unit] ?? 0n);
}
