import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import type { ReservationView } from "./reservation.ts";
import { requireView } from "./require-view.ts";
import { writeReservations } from "./write-reservations.ts";

const shape = z.object({ id: uuid });

/**
 * Gives back what was charged when a reservation expired and nobody knew what was used. Repeating it changes
 * nothing; if the agent settles it later, that counts.
 *
 * @throws {DomainError} forbidden below operator, and for agents; not_found; invalid_state if it has not expired.
 */
export async function releaseAssumed(ctx: Ctx, input: z.input<typeof shape>): Promise<ReservationView> {
  requireRole(ctx, "operator");
  const { id } = parseInput(shape, input);
  const operation = { kind: "releaseAssumed", id, callerId: null } as const;
  // Not together with others, because it is audited as the caller's act.
  const [result] = await writeReservations(ctx, [{ caller: ctx, operation }]);
  if (result?.status !== "fulfilled") throw result?.reason;
  return requireView(result.value.reservation);
}
