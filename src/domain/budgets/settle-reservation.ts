import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { amounts } from "./budget-amount.ts";
import type { ReservationView } from "./reservation.ts";
import { requireView } from "./require-view.ts";
import { runBudgetOperation } from "./run-budget-operation.ts";

const shape = z.strictObject({ id: uuid, amounts: amounts.default({ usd: null, tokens: null }) });

/**
 * Says what was used of a reservation that the calling agent made, also if it has expired. It may be more than was reserved.
 * What is not said counts as it was reserved. Repeating it changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `gateway:check`; forbidden for anybody but agents;
 *   not_found, also for one that another agent made; validation_failed; invalid_state if it was released, or settled with
 *   other amounts; unavailable.
 */
export async function settleReservation(ctx: Ctx, input: z.input<typeof shape>): Promise<ReservationView> {
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const asked = parseInput(shape, input);
  const { reservation } = await runBudgetOperation(ctx, { kind: "settle", callerId, ...asked });
  return requireView(reservation);
}
