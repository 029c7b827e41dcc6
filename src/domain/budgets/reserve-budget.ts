import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { amounts } from "./budget-amount.ts";
import type { ReservationView } from "./reservation.ts";
import { requireView } from "./require-view.ts";
import { runBudgetOperation } from "./run-budget-operation.ts";

const shape = z.strictObject({
  amounts: amounts.default({ usd: null, tokens: null }),
  expiresInSeconds: wholeNumber(LIMITS.reservationSeconds).default(LIMITS.reservationSeconds.default),
  decisionId: uuid.nullable().default(null),
});

/**
 * Reserves what the calling agent is about to use, of all budgets that apply to it or of none. What is not said is
 * estimated by each budget. A repetition with the same Idempotency-Key gives the same reservation.
 *
 * @param input amounts are text: dollars as `0.42`, tokens as a whole number.
 * @returns the reservation; `asks`: a threshold says that a person is to be asked first.
 * @throws {DomainError} insufficient_scope without `gateway:check`; forbidden for anybody but agents;
 *   validation_failed; budget_exceeded; emergency_stop; agent_paused; unavailable.
 */
export async function reserveBudget(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<{ reservation: ReservationView; asks: boolean }> {
  requireScope(ctx, "gateway:check");
  const { id: agentId } = requireAgent(ctx);
  const asked = parseInput(shape, input);
  const operation = {
    kind: "reserve",
    id: uuidv7(),
    agentId,
    delegateId: null,
    ...asked,
    isRepeatable: true,
  } as const;
  const { reservation, asks } = await runBudgetOperation(ctx, operation);
  return { reservation: requireView(reservation), asks };
}
