import { v7 as uuidv7 } from "uuid";
import { sql } from "../../db/sql.ts";
import { listCurrentWindows } from "../budgets/admit-reservation.ts";
import { type Amounts, amounts } from "../budgets/budget-amount.ts";
import { readReservation } from "../budgets/read-reservation.ts";
import type { ReservationView } from "../budgets/reservation.ts";
import { runBudgetOperation } from "../budgets/run-budget-operation.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, type ExceededBudget, createFieldError } from "../kernel/errors.ts";
import { isObject } from "../kernel/is-object.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { DecidedRequest } from "./decide-request.ts";
import type { GateState } from "./gate-state.ts";
import type { AccessRequest } from "./parse-request.ts";

/**
 * What is held for a request: `asks` is whether a person is to be asked first, `isRepeated` whether an earlier request
 * with the same Idempotency-Key made the reservation.
 */
export type Hold = { reservation: ReservationView | null; asks: boolean; isRepeated: boolean };

/** Why budgets refuse a request. */
export type BudgetRefusal = {
  error: DomainError;
  exceeded: ExceededBudget | null;
  reason: "budget_exceeded" | "emergency_stop" | "agent_paused";
};

/** What budgets say to a request. */
export type HeldBudgets = Hold | BudgetRefusal;

export const NOTHING_HELD: Hold = { reservation: null, asks: false, isRepeated: false };

/** A decision for which budgets are held. */
type Held = DecidedRequest & {
  /** The agent that asks, for itself or for another one. */
  callerId: string;
  decisionId: string | null;
  /** Whether a repeated Idempotency-Key gives the same reservation, unless that was given back. */
  isRepeatable: boolean;
};

/** What a request uses of budgets: those of the agent that is its subject, else of the agent that asks. */
export type BudgetUse = { agentId: string; amounts: Amounts };

/**
 * Finds what a request uses of budgets: null where none applies.
 *
 * @throws {DomainError} validation_failed for the request's estimate.
 */
export async function findUse(
  ctx: Ctx,
  { budgetGeneration, agents }: GateState,
  { asked, request: { subject }, callerId }: Pick<DecidedRequest, "asked" | "request"> & { callerId: string },
): Promise<BudgetUse | null> {
  const agent = subject.agent ?? agents.find(({ id }) => id === callerId);
  if (agent === undefined || budgetGeneration === 0) return null;
  const { budgets, live } = ctx.services;
  const known = await budgets.get(ctx.workspaceId, budgetGeneration, ctx.read);
  const isBudgeted = listCurrentWindows(known, agent, ctx.now ?? live.now()).length > 0;
  return isBudgeted ? { agentId: agent.id, amounts: readEstimate(asked) } : null;
}

/**
 * Reserves what an agent is about to use, of all budgets that apply to it or of none, unless policies deny. It costs
 * nothing where no budget applies.
 *
 * @throws {DomainError} validation_failed for the request's estimate; unavailable: then nothing is admitted.
 */
export async function holdBudgets(
  ctx: Ctx,
  state: GateState,
  { verdict, callerId, decisionId, isRepeatable, ...decided }: Held,
): Promise<HeldBudgets> {
  const use = verdict.outcome === "deny" ? null : await findUse(ctx, state, { ...decided, callerId });
  if (use === null) return NOTHING_HELD;
  try {
    const operation = {
      ...({ kind: "reserve", ...use, decisionId } as const),
      delegateId: use.agentId === callerId ? null : callerId,
      expiresInSeconds: LIMITS.reservationSeconds.default,
    };
    const id = uuidv7();
    const held = await runBudgetOperation(ctx, { ...operation, id, isRepeatable });
    if (held.reservation?.id === id) return { ...held, isRepeated: false };
    const isOver = held.reservation === null || held.reservation.status === "released";
    if (!isOver) return { ...held, isRepeated: true };
    const anew = await runBudgetOperation(ctx, { ...operation, id, isRepeatable: false });
    return { ...anew, isRepeated: false };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, details } = error;
    if (code !== "budget_exceeded" && code !== "emergency_stop" && code !== "agent_paused") throw error;
    return { error, exceeded: details.budget ?? null, reason: code };
  }
}

/** Gives back what was reserved for a request that is not allowed. */
export async function withdrawBudgets(ctx: Ctx, reservation: ReservationView | null): Promise<void> {
  if (reservation === null) return;
  await runBudgetOperation(ctx, { kind: "withdraw", id: reservation.id, callerId: null });
}

/** Notes for which decision and execution a reservation is, where people decided after it was made. */
export async function bindReservation(
  ctx: Ctx,
  reservation: ReservationView | null,
  { decisionId, executionId }: { decisionId: string; executionId: string | null },
): Promise<ReservationView | null> {
  if (reservation === null) return null;
  await ctx.run(BIND, [ctx.workspaceId, reservation.id, decisionId, executionId]);
  return { ...reservation, decisionId, executionId };
}

/** Finds what was reserved for a decision. Null without budgets. */
export async function findBoundReservation(ctx: Ctx, decisionId: string): Promise<ReservationView | null> {
  const [found] = await ctx.read(FIND_BOUND, [ctx.workspaceId, decisionId]);
  return found === undefined ? null : readReservation(ctx, found);
}

const FIND_BOUND = sql<{ id: string }>`
SELECT id FROM reservation WHERE workspace_id = $1::uuid AND decision_id = $2::uuid ORDER BY id LIMIT 1`;

const BIND = sql`
UPDATE reservation SET decision_id = $3::uuid, execution_id = $4::uuid WHERE workspace_id = $1::uuid AND id = $2::uuid`;

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
