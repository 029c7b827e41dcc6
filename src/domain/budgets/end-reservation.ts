import type { ReservationStatus } from "../../db/generated/enums.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import type { Amounts } from "./budget-amount.ts";
import { type Ledger, clamp, countAssumed, moveLine } from "./ledger.ts";
import { type ReservationLine, type StoredReservation, getKnownUse } from "./reservation.ts";

/** Names a reservation. `callerId` is the agent that must have reserved it; null for any. */
export type ReservationName = { id: string; callerId: string | null };

/**
 * Counts what was used, which may be more than was reserved and then pass a limit. Where no amount is said, it is what
 * telemetry says, else what was reserved. Repeating it changes nothing; what comes after the expiry corrects it.
 *
 * @throws {DomainError} not_found; invalid_state if it was released, or settled with other amounts.
 */
export function settleReservation(
  ledger: Ledger,
  asked: ReservationName & { amounts: Amounts },
): StoredReservation {
  const { amounts } = asked;
  const reservation = requireReservation(ledger, asked);
  const { status } = reservation;
  if (reservation.amounts !== null) {
    if (isSame(reservation.amounts, amounts)) return reservation;
    throw createStateError(reservation, "It was settled with other amounts.", ["held", "expired"]);
  }
  if (status === "released") throw createStateError(reservation, "It was released.", ["held", "expired"]);
  reservation.amounts = amounts;
  endSettled(ledger, reservation);
  return reservation;
}

/**
 * Adds what telemetry says was used, which settles the reservation. What its agent says by settling it stands instead,
 * whichever comes first.
 */
export function reportUse(ledger: Ledger, reservation: StoredReservation, amounts: Amounts): void {
  const { usd = null, tokens = null } = reservation.reported ?? {};
  reservation.reported = { usd: add(usd, amounts.usd), tokens: add(tokens, amounts.tokens) };
  endSettled(ledger, reservation);
}

/**
 * Gives back what was reserved. Calls count nevertheless. Repeating it changes nothing.
 *
 * @throws {DomainError} not_found; invalid_state if it was settled or has expired.
 */
export function releaseReservation(ledger: Ledger, asked: ReservationName): StoredReservation {
  const reservation = requireReservation(ledger, asked);
  if (reservation.status === "released") return reservation;
  if (reservation.status !== "held") {
    throw createStateError(reservation, `It is ${reservation.status}.`, ["held"]);
  }
  end(ledger, reservation, { status: "released", getUsed: () => 0n });
  return reservation;
}

/** Gives back everything, calls too: what it was for was not allowed. Nothing to do if it has ended. */
export function withdrawReservation(ledger: Ledger, asked: ReservationName): StoredReservation {
  const reservation = requireReservation(ledger, asked);
  if (reservation.status !== "held") return reservation;
  for (const line of reservation.lines) {
    if (line.unit === "calls") moveLine(ledger, reservation, { line, used: -line.used, reserved: 0n });
  }
  return releaseReservation(ledger, asked);
}

/** Ends a reservation whose time is over: each budget says whether it is charged or given back. */
export function expireReservation(ledger: Ledger, asked: ReservationName): StoredReservation | null {
  const reservation = ledger.reservations.get(asked.id);
  if (reservation?.status !== "held" || reservation.expiresAt > ledger.now) return null;
  end(ledger, reservation, {
    status: "expired",
    getUsed: ({ budgetId, amount }) => (ledger.budgets.get(budgetId)?.onExpiry === "release" ? 0n : amount),
  });
  reservation.assumed = reservation.lines.some((line) => line.unit !== "calls" && line.used > 0n);
  if (reservation.assumed) countAssumed(ledger, reservation, 1n);
  return reservation;
}

/**
 * Gives back what was charged when a reservation expired. Repeating it changes nothing.
 *
 * @throws {DomainError} not_found; invalid_state if it has not expired.
 */
export function releaseAssumed(ledger: Ledger, asked: ReservationName): StoredReservation {
  const reservation = requireReservation(ledger, asked);
  if (reservation.status !== "expired") {
    throw createStateError(reservation, `It is ${reservation.status}.`, ["expired"]);
  }
  if (!reservation.assumed) return reservation;
  countAssumed(ledger, reservation, -1n);
  for (const line of reservation.lines) {
    if (line.unit !== "calls") moveLine(ledger, reservation, { line, used: -line.used, reserved: 0n });
  }
  reservation.assumed = false;
  ledger.changedReservations.add(reservation);
  ledger.audit.push({
    action: "reservation.assumed_released",
    targetType: "reservation",
    targetId: reservation.id,
  });
  return reservation;
}

function requireReservation({ reservations }: Ledger, { id, callerId }: ReservationName): StoredReservation {
  const reservation = reservations.get(id);
  const owner = reservation?.delegateId ?? reservation?.agentId;
  if (reservation === undefined || (callerId !== null && owner !== callerId)) {
    throw createNotFoundError("reservation");
  }
  return reservation;
}

function endSettled(ledger: Ledger, reservation: StoredReservation): void {
  const use = getKnownUse(reservation);
  end(ledger, reservation, { status: "settled", getUsed: (line) => getSaid(use, line) ?? line.amount });
}

type End = { status: ReservationStatus; getUsed: (line: ReservationLine) => bigint };

/** Ends a reservation with what counts as used of each line. Of one that has expired, this corrects what was charged. */
function end(ledger: Ledger, reservation: StoredReservation, { status, getUsed }: End): void {
  const isHeld = reservation.status === "held";
  if (reservation.assumed) countAssumed(ledger, reservation, -1n);
  for (const line of reservation.lines) {
    if (line.unit === "calls") continue;
    const used = getUsed(line) - line.used;
    moveLine(ledger, reservation, { line, used, reserved: isHeld ? -line.amount : 0n });
  }
  if (reservation.status !== status) reservation.endedAt = ledger.now;
  reservation.status = status;
  reservation.assumed = false;
  // One that was made in this batch is written whole.
  if (!ledger.newReservations.has(reservation)) ledger.changedReservations.add(reservation);
}

function getSaid(amounts: Amounts | null, { unit }: ReservationLine): bigint | null {
  return unit === "calls" || amounts === null ? null : amounts[unit];
}

function add(sum: bigint | null, more: bigint | null): bigint | null {
  return more === null ? sum : clamp((sum ?? 0n) + more);
}

function isSame(one: Amounts, other: Amounts): boolean {
  return one.usd === other.usd && one.tokens === other.tokens;
}

function createStateError(
  { status }: StoredReservation,
  why: string,
  allowed: readonly ReservationStatus[],
): DomainError {
  const message = `The reservation can't be changed like this. ${why}`;
  return new DomainError("invalid_state", message, { currentStatus: status, allowed });
}
