import { v7 as uuidv7 } from "uuid";
import type { Ctx } from "../kernel/context.ts";
import { type Asking, askPeople, waitForPeople } from "./ask-people.ts";
import { type GatewayCheck, toCheck } from "./gateway-check.ts";
import {
  type BudgetRefusal,
  type HeldBudgets,
  type Hold,
  bindReservation,
  findBoundReservation,
  withdrawBudgets,
} from "./hold-budgets.ts";

/** What is held at first, how long to wait for people, and how to hold it again after that. */
type Terms = { hold: Hold; waitSeconds: number; holdAgain: () => Promise<HeldBudgets> };

/**
 * Uses an approval for a request, or asks people, and waits for them. Budgets are held while an approval is used, not
 * while people think. A client that disconnects while it waits uses nothing.
 *
 * @returns the check, or why budgets refuse it.
 * @throws {DomainError} as {@link askPeople}.
 */
export async function askWithinBudgets(
  ctx: Ctx,
  asking: Asking,
  { hold, waitSeconds, holdAgain }: Terms,
): Promise<GatewayCheck | BudgetRefusal> {
  const executionId = uuidv7();
  const first = await ask(ctx, asking, { executionId, hold });
  if (first.status !== "pending" || first.approval === null) return first;
  const { id: approvalId } = first.approval;
  const isAnswered = await waitForPeople(ctx, approvalId, waitSeconds);
  if (!isAnswered || ctx.signal?.aborted === true) return first;
  const again = await holdAgain();
  if ("exceeded" in again) return again;
  return ask(ctx, { ...asking, approvalId }, { executionId, hold: again });
}

async function ask(
  ctx: Ctx,
  asking: Asking,
  { executionId, hold }: { executionId: string; hold: Hold },
): Promise<GatewayCheck> {
  const { reservation } = hold;
  let isKept = false;
  try {
    const answer = await askPeople(ctx, asking, executionId);
    const check = toCheck(answer);
    if (check.status !== "allowed") return check;
    const { id: decisionId, execution } = check;
    if (answer.isRepeated === true) {
      return { ...check, reservation: await findBoundReservation(ctx, decisionId) };
    }
    isKept = true;
    const bound = { decisionId, executionId: execution?.id ?? null };
    return { ...check, reservation: await bindReservation(ctx, reservation, bound) };
  } finally {
    if (!isKept && !hold.isRepeated) await withdrawBudgets(ctx, reservation);
  }
}
