import type { Execution } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { getAmount, listCurrentWindows } from "../budgets/admit-reservation.ts";
import type { KnownBudget } from "../budgets/known-budgets.ts";
import type { Amounts } from "../budgets/budget-amount.ts";
import {
  type ReservationRow,
  type ReservationView,
  type StoredReservation,
  toReservation,
} from "../budgets/reservation.ts";
import type { DecisionRow } from "../decisions/decision-row.ts";
import { createDecisionRow } from "../gateway-checks/create-decision-row.ts";
import { type MadeDecision, decideRequest } from "../gateway-checks/decide-request.ts";
import { type GateState, readGateState } from "../gateway-checks/gate-state.ts";
import { findUse, holdBudgets, withdrawBudgets } from "../gateway-checks/hold-budgets.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { DomainError } from "../kernel/errors.ts";
import { createAskProblem } from "./find-use-problem.ts";

/** What an execution is about to use, before its transaction. */
export type ExecutionHold = {
  /** The reservation of the check that allowed it, or a new one. Null where no budget applies. */
  reservationId: string | null;
  /** The new one: given back if nothing is executed. */
  made: ReservationView | null;
  /** The decision for which it is held. */
  decision: MadeDecision | null;
  /** Why budgets forbid it, with the decision that says so. */
  refusal: { error: DomainError; row: DecisionRow } | null;
};

type Wanted = {
  asked: AccessRequest;
  callerId: string;
  /** The check that allowed it; null if an approval is used. */
  decisionId: string | null;
  /** When the request began, by `performance.now()`. */
  startedMs: number;
  /** What policies said to that check. */
  made?: MadeDecision | null;
};

const NOTHING: ExecutionHold = { reservationId: null, made: null, decision: null, refusal: null };

/**
 * Finds what the check has reserved, or reserves it now. Each reservation is for one execution. Loads the policies too,
 * so that the transaction seldom needs a second connection for them.
 *
 * @throws {DomainError} validation_failed for the request's estimate; unavailable.
 */
export async function holdForExecution(
  ctx: Ctx,
  { asked, callerId, decisionId, startedMs, made = null }: Wanted,
): Promise<ExecutionHold> {
  const state = made?.state ?? (await readGateState(ctx, [asked], callerId));
  await ctx.services.policies.get(ctx.workspaceId, state.generation);
  if (state.budgetGeneration === 0) return { ...NOTHING, decision: made };
  const decided = made?.decided ?? (await decideRequest(ctx, state, { asked, callerId }));
  const decision = { state, decided };
  const use = decided.verdict.outcome === "deny" ? null : await findUse(ctx, state, { ...decided, callerId });
  if (use === null) return { ...NOTHING, decision };
  // A delegate's check has reserved for its subject.
  const unused =
    decisionId === null ? [] : await ctx.run(UNUSED, [ctx.workspaceId, decisionId, use.agentId, callerId]);
  const budgets = await listBudgetsOf(ctx, state, use.agentId);
  const fitting = unused
    .map(toReservation)
    .find((one) => isStillCounted(one) && covers(one, use.amounts, budgets));
  if (fitting !== undefined) return { ...NOTHING, decision, reservationId: fitting.id };
  // The execution has the Idempotency-Key. What it reserves names the decision only when it is bound, so that no other
  // execution of the same check takes it.
  const held = await holdBudgets(ctx, state, { ...decided, callerId, decisionId: null, isRepeatable: false });
  const row = createDecisionRow(ctx, decided, { agentId: callerId, startedMs });
  if ("exceeded" in held) {
    const { error, reason, exceeded: budget } = held;
    return { ...NOTHING, refusal: { error, row: { ...row, outcome: "deny", reason, budget } } };
  }
  const { reservation, asks } = held;
  if (asks && decisionId !== null && decided.verdict.outcome === "allow") {
    await withdrawBudgets(ctx, reservation);
    const { error, reason } = createAskProblem();
    return { ...NOTHING, refusal: { error, row: { ...row, outcome: "ask", reason } } };
  }
  return { reservationId: reservation?.id ?? null, made: reservation, decision, refusal: null };
}

/** Whether a reservation counts as it was made: its agent hasn't settled or released it, and no expiry gave it back. */
function isStillCounted({ status, lines }: Pick<StoredReservation, "status" | "lines">): boolean {
  return status === "held" || (status === "expired" && lines.every(({ used, amount }) => used === amount));
}

/** Lists the budgets in which a reservation of the agent would count now, each with whose sum that is. */
async function listBudgetsOf(
  ctx: Ctx,
  { agents, budgetGeneration }: GateState,
  agentId: string,
): Promise<Counting[]> {
  const agent = agents.find(({ id }) => id === agentId);
  if (agent === undefined) throw new Error("what uses budgets is an agent");
  const { budgets, live } = ctx.services;
  const known = await budgets.get(ctx.workspaceId, budgetGeneration, ctx.read);
  const windows = listCurrentWindows(known, agent, ctx.now ?? live.now());
  return windows.flatMap(({ budgetId, subject }) => {
    const budget = known.find(({ id }) => id === budgetId);
    return budget === undefined ? [] : [{ budget, subject }];
  });
}

type Counting = { budget: KnownBudget; subject: string };

/** Whether as much was reserved as would be now, of each budget. */
function covers(
  { lines }: Pick<StoredReservation, "lines">,
  amounts: Amounts,
  budgets: readonly Counting[],
): boolean {
  return budgets.every(({ budget, subject }) =>
    lines.some(
      (line) =>
        line.budgetId === budget.id && line.subject === subject && line.amount >= getAmount(budget, amounts),
    ),
  );
}

const UNUSED = sql<Pick<ReservationRow, "id" | "status" | "lines" | "amounts" | "reported">>`
SELECT id, status, lines, amounts, reported FROM reservation
WHERE workspace_id = $1::uuid AND decision_id = $2::uuid AND agent_id = $3::uuid
  AND COALESCE(delegate_id, agent_id) = $4::uuid AND execution_id IS NULL AND status IN ('held', 'expired') ORDER BY id`;

/** Binds what is held to its execution. @returns whether no other execution has it. */
export async function bindHold(
  { run, ctx }: Transaction,
  { reservationId }: ExecutionHold,
  { id: executionId, decisionId }: Pick<Execution, "id" | "decisionId">,
): Promise<boolean> {
  if (reservationId === null) return true;
  const bound = await run(BIND, [ctx.workspaceId, reservationId, executionId, decisionId]);
  return bound.length > 0;
}

const BIND = sql<{ id: string }>`
UPDATE reservation SET execution_id = $3::uuid, decision_id = COALESCE(decision_id, $4::uuid)
WHERE workspace_id = $1::uuid AND id = $2::uuid AND execution_id IS NULL RETURNING id`;
