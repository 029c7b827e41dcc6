import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import type { ReservationView } from "./reservation.ts";
import { requireView } from "./require-view.ts";
import { runBudgetOperation } from "./run-budget-operation.ts";

const shape = z.strictObject({ id: uuid });

/**
 * Gives back what the calling agent has reserved and not used. Repeating it changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `gateway:check`; forbidden for anybody but agents;
 *   not_found, also for one that another agent made; invalid_state if it was settled or has expired; unavailable.
 */
export async function releaseReservation(ctx: Ctx, input: z.input<typeof shape>): Promise<ReservationView> {
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const { id } = parseInput(shape, input);
  const { reservation } = await runBudgetOperation(ctx, { kind: "release", id, callerId });
  return requireView(reservation);
}
