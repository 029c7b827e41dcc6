import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { Execution } from "../../db/generated/client.ts";
import type { DecisionRow } from "../decisions/decision-row.ts";
import { withDecisionPartition } from "../decisions/store-decision.ts";
import type { MadeDecision } from "../gateway-checks/decide-request.ts";
import { withdrawBudgets } from "../gateway-checks/hold-budgets.ts";
import { type AccessRequest, parseRequest } from "../gateway-checks/parse-request.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { parseInput } from "../kernel/input.ts";
import type { Refusal } from "./find-use-problem.ts";
import { type Repeated, findRepeatProblem } from "./find-repeat-problem.ts";
import { type ExecutionHold, bindHold, holdForExecution } from "./hold-for-execution.ts";

/** A new execution with the decision that permits it, or why there is none. */
export type StartResult = { execution: Execution; row: DecisionRow } | Refusal;

/** A new execution by a decision that was logged before. */
export type LoggedStart = { execution: Execution; row: null };

type Shape = z.ZodType<{ requestText: string; decisionId?: string }>;

/** A start of the calling agent. `id` is the execution's, and `made` what was decided before the transaction. */
type Start<Input> = Omit<Input, "requestText"> & {
  id: string;
  asked: AccessRequest;
  startedMs: number;
  made: MadeDecision | null;
};

/**
 * Runs a use case that starts an execution, with what it uses of budgets. A refusal is stored as a decision. A repeated
 * Idempotency-Key gives the execution of the first request, as long as that may go on.
 */
export async function startInTransaction<Of extends Shape>(
  ctx: Ctx,
  { shape, input }: { shape: Of; input: z.input<Of> },
  start: (tx: Transaction, start: Start<z.output<Of>>) => Promise<StartResult>,
): Promise<Execution> {
  const startedMs = performance.now();
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const { requestText, ...rest } = parseInput(shape, input);
  const asked = parseRequest(requestText);
  const wanted = { asked, callerId, decisionId: rest.decisionId ?? null, startedMs };
  for (;;) {
    const hold = await holdForExecution(ctx, wanted);
    const { decision: made } = hold;
    const execution = await startHeld(ctx, hold, {
      start: (tx, id) => start(tx, { ...rest, id, asked, startedMs, made }),
      repeat: (tx, earlierId) => findRepeatProblem(tx, wanted, earlierId),
    });
    // Otherwise another execution has taken what the check reserved, and this one reserves anew.
    if (execution !== null) return execution;
  }
}

/** How an execution starts, and why that of an earlier request with the same Idempotency-Key may not go on. */
type HeldStart = {
  start: (tx: Transaction, id: string) => Promise<StartResult | LoggedStart>;
  repeat?: (tx: Transaction, earlierId: string) => Promise<Pick<Repeated, "execution" | "refusal">>;
};

/**
 * Starts an execution with what is held for it, or refuses.
 *
 * @returns null if another execution has what is held.
 */
export async function startHeld(
  ctx: Ctx,
  hold: ExecutionHold,
  { start, repeat }: HeldStart,
): Promise<Execution | null> {
  const refused: DecisionRow[] = [];
  const permitted: (DecisionRow | null)[] = [];
  /** Ends the transaction, which has kept the Idempotency-Key. */
  function refuse({ error, row }: Refusal): never {
    refused.push(row);
    throw error;
  }
  async function work(tx: Transaction): Promise<Execution> {
    // Of several attempts, the last one is committed.
    permitted.length = 0;
    const id = uuidv7();
    const earlierId = await claimIdempotencyKey(tx, id);
    if (earlierId !== null) {
      if (repeat === undefined) return findExecution(tx, earlierId);
      const { execution, refusal } = await repeat(tx, earlierId);
      return refusal === null ? execution : refuse(refusal);
    }
    const result = hold.refusal ?? (await start(tx, id));
    if (!("execution" in result)) return refuse(result);
    const isBound = await bindHold(tx, hold, result.execution);
    if (!isBound) throw new HoldTaken();
    permitted.push(result.row);
    return result.execution;
  }
  try {
    const execution = await withDecisionPartition(ctx, () => ctx.transaction(work));
    for (const row of permitted) if (row !== null) ctx.services.decisions.count(row);
    return execution;
  } catch (error) {
    permitted.length = 0;
    if (error instanceof HoldTaken) return null;
    const row = refused.at(-1);
    if (row !== undefined) await ctx.services.decisions.store(row);
    throw error;
  } finally {
    if (permitted.length === 0) await withdrawBudgets(ctx, hold.made);
  }
}

/** Ends the transaction. */
class HoldTaken extends Error {}

async function findExecution({ db, ctx }: Transaction, id: string): Promise<Execution> {
  return db.execution.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}
