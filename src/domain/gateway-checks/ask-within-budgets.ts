import { v7 as uuidv7 } from "uuid";
import type { Ctx } from "../kernel/context.ts";
import { type Asking, askPeople, waitForPeople } from "./ask-people.ts";
import { type GatewayCheck, toCheck } from "./gateway-check.ts";
import {
  type BudgetRefusal,
  type HeldBudgets,
  type Hold,
  NOTHING_HELD,
  bindReservation,
  findBoundReservation,
  withdrawBudgets,
} from "./hold-budgets.ts";

/** A request about which policies or budgets ask people. */
export type Question = Omit<Asking, "mode">;

/** Whether budgets apply, how to hold them, and how long to wait for people. `onWait` is called when that begins. */
export type Terms = {
  isBudgeted: boolean;
  hold: () => Promise<HeldBudgets>;
  waitSeconds: number;
  onWait?: () => void;
};

/**
 * Uses an approval for a request, or asks people, and waits for them. Budgets are held while an approval is used, not
 * to ask, nor while people think. A client that disconnects while it waits uses nothing.
 *
 * @returns the check, or why budgets refuse it.
 * @throws {DomainError} as {@link askPeople}.
 */
export async function askWithinBudgets(
  ctx: Ctx,
  question: Question,
  { isBudgeted, hold, waitSeconds, onWait }: Terms,
): Promise<GatewayCheck | BudgetRefusal> {
  const executionId = uuidv7();
  async function use(approvalId: string | null): Promise<GatewayCheck | BudgetRefusal> {
    const held = await hold();
    if ("exceeded" in held) return held;
    return requireAnswer(
      await ask(ctx, { ...question, approvalId, mode: "use" }, { executionId, hold: held }),
    );
  }
  const mode = isBudgeted ? "ask" : "use";
  const first = await ask(ctx, { ...question, mode }, { executionId, hold: NOTHING_HELD });
  if (first === null) return use(question.approvalId);
  if (first.status !== "pending" || first.approval === null) return first;
  if (waitSeconds > 0) onWait?.();
  const isAnswered = await waitForPeople(ctx, first.approval.id, waitSeconds);
  return isAnswered && ctx.signal?.aborted !== true ? use(first.approval.id) : first;
}

/** Finds what an earlier request with the same Idempotency-Key or session key got. Null if it used no approval. */
export async function repeatAnswer(ctx: Ctx, question: Question): Promise<GatewayCheck | null> {
  if (ctx.idempotency === null && question.sessionKey === null) return null;
  return ask(ctx, { ...question, mode: "repeat" }, { executionId: uuidv7(), hold: NOTHING_HELD });
}

async function ask(
  ctx: Ctx,
  asking: Asking,
  { executionId, hold }: { executionId: string; hold: Hold },
): Promise<GatewayCheck | null> {
  const { reservation } = hold;
  let isKept = false;
  try {
    const answer = await askPeople(ctx, asking, executionId);
    if (answer === null) return null;
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
    if (!isKept) await withdrawBudgets(ctx, reservation);
  }
}

/** What may use an approval always has an answer. */
function requireAnswer(check: GatewayCheck | null): GatewayCheck {
  if (check === null) throw new Error("people gave no answer");
  return check;
}
