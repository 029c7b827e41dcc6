import { type NewReservation, admitReservation } from "./admit-reservation.ts";
import type { Amounts } from "./budget-amount.ts";
import { countCharge } from "./count-charge.ts";
import {
  type ReservationName,
  expireReservation,
  releaseAssumed,
  releaseReservation,
  settleReservation,
  withdrawReservation,
} from "./end-reservation.ts";
import { type Ledger, type WindowKey, toView, toWindowName } from "./ledger.ts";
import type { ReportedCharge } from "./reported-charge.ts";
import type { ReservationView, StoredReservation } from "./reservation.ts";

/** Something that changes the sums of budgets. */
export type BudgetOperation =
  | ({ kind: "reserve" } & NewReservation)
  | ({ kind: "settle"; amounts: Amounts } & ReservationName)
  | ({ kind: "release" | "withdraw" | "expire" | "releaseAssumed" } & ReservationName)
  | { kind: "countCharge"; charge: ReportedCharge }
  /** The agents that a sum is for were paused. */
  | { kind: "notePaused"; window: WindowKey };

/** The reservation after an operation, and whether budgets say that a person is to be asked. */
export type OperationResult = { reservation: ReservationView | null; asks: boolean };

/**
 * Runs one operation, wholly or not at all.
 *
 * @throws {DomainError} as what it runs.
 */
export function runOperation(ledger: Ledger, operation: BudgetOperation): OperationResult {
  switch (operation.kind) {
    case "reserve": {
      const { reservation, asks } = admitReservation(ledger, operation);
      return { reservation: toView(ledger, reservation), asks };
    }
    case "settle":
      return show(ledger, settleReservation(ledger, operation));
    case "release":
      return show(ledger, releaseReservation(ledger, operation));
    case "withdraw":
      return show(ledger, withdrawReservation(ledger, operation));
    case "expire":
      return show(ledger, expireReservation(ledger, operation));
    case "releaseAssumed":
      return show(ledger, releaseAssumed(ledger, operation));
    case "countCharge":
      countCharge(ledger, operation.charge);
      return show(ledger, null);
    case "notePaused": {
      const window = ledger.windows.get(toWindowName(operation.window));
      if (window === undefined) return show(ledger, null);
      window.pauseDue = false;
      ledger.movedWindows.add(window);
      return show(ledger, null);
    }
  }
}

/** Shows what an earlier request with the same Idempotency-Key made. */
export function showReservation(ledger: Ledger, id: string): OperationResult {
  return show(ledger, ledger.reservations.get(id) ?? null);
}

function show(ledger: Ledger, reservation: StoredReservation | null): OperationResult {
  return { reservation: reservation && toView(ledger, reservation), asks: false };
}
