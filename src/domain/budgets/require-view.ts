import { createNotFoundError } from "../kernel/errors.ts";
import type { ReservationView } from "./reservation.ts";

/** @throws {DomainError} not_found without a reservation. */
export function requireView(reservation: ReservationView | null): ReservationView {
  if (reservation === null) throw createNotFoundError("reservation");
  return reservation;
}
