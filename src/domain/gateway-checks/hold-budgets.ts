import { v7 as uuidv7 } from "uuid";
import { listCurrentWindows } from "../budgets/admit-reservation.ts";
import { type Amounts, amounts } from "../budgets/budget-amount.ts";
import type { ReservationView } from "../budgets/reservation.ts";
import { runBudgetOperation } from "../budgets/run-budget-operation.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, type ExceededBudget, createFieldError } from "../kernel/errors.ts";
import { isObject } from "../kernel/is-object.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { DecidedRequest } from "./decide-request.ts";
import type { GateState } from "./gate-state.ts";
import type { AccessRequest } from "./parse-request.ts";

/** What budgets say to a request: `asks` is whether a person is to be asked first. */
export type HeldBudgets =
  | { reservation: ReservationView | null; asks: boolean }
  | { exceeded: ExceededBudget | null; reason: "budget_exceeded" | "emergency_stop" | "agent_paused" };

const NOTHING: HeldBudgets = { reservation: null, asks: false };

/**
 * Reserves what an agent is about to use, of all budgets that apply to it or of none, unless policies deny. It costs
 * nothing where no budget applies.
 *
 * @throws {DomainError} validation_failed for the request's estimate; unavailable: then nothing is admitted.
 */
export async function holdBudgets(
  ctx: Ctx,
  state: GateState,
  { asked, request, verdict }: DecidedRequest,
): Promise<HeldBudgets> {
  const { agent } = request.subject;
  if (verdict.outcome === "deny" || agent === null || state.budgetGeneration === 0) return NOTHING;
  const { budgets, live } = ctx.services;
  const known = await budgets.get(ctx.workspaceId, state.budgetGeneration, ctx.read);
  if (listCurrentWindows(known, agent, ctx.now ?? live.now()).length === 0) return NOTHING;
  try {
    return await runBudgetOperation(ctx, {
      ...{ kind: "reserve", id: uuidv7(), agentId: agent.id, amounts: readEstimate(asked) },
      ...{ expiresInSeconds: LIMITS.reservationSeconds.default, decisionId: null, isRepeatable: false },
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, details } = error;
    if (code !== "budget_exceeded" && code !== "emergency_stop" && code !== "agent_paused") throw error;
    return { exceeded: details.budget ?? null, reason: code };
  }
}

/** Gives back what was reserved for a request that is not allowed. */
export async function withdrawBudgets(ctx: Ctx, reservation: ReservationView | null): Promise<void> {
  if (reservation === null) return;
  const { id, agentId } = reservation;
  await runBudgetOperation(ctx, { kind: "withdraw", id, agentId });
}

/** What the caller expects to use. */
function readEstimate({ context: { estimate = {} } }: AccessRequest): Amounts {
  const given = isObject(estimate) ? { ...estimate } : estimate;
  const tokens = isObject(given) ? given["tokens"] : null;
  const parsed = amounts.safeParse(
    isObject(given) && typeof tokens === "number" ? { ...given, tokens: `${tokens}` } : given,
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = ["request.context.estimate", ...(issue?.path ?? [])].join(".");
  throw createFieldError(path, issue?.message ?? "is not valid");
}
