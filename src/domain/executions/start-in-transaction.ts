import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { Execution } from "../../db/generated/client.ts";
import type { DecisionRow } from "../decisions/decision-log.ts";
import { withDecisionPartition } from "../decisions/store-decision.ts";
import { readGateState } from "../gateway-checks/gate-state.ts";
import { type AccessRequest, parseRequest } from "../gateway-checks/parse-request.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { DomainError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { parseInput } from "../kernel/input.ts";

/** A new execution with the decision that permits it, or why there is none and the decision that says so. */
export type StartResult =
  | { execution: Execution; row: DecisionRow }
  | { error: DomainError; row: DecisionRow };

/** A start of the calling agent. `id` is the execution's. */
type Start<Input> = Omit<Input, "requestText"> & { id: string; asked: AccessRequest; startedMs: number };

/**
 * Runs a use case that starts an execution. A refusal is stored as a decision. A repeated Idempotency-Key gives
 * the execution of the first request.
 */
export async function startInTransaction<Shape extends z.ZodType<{ requestText: string }>>(
  ctx: Ctx,
  { shape, input }: { shape: Shape; input: z.input<Shape> },
  start: (tx: Transaction, start: Start<z.output<Shape>>) => Promise<StartResult>,
): Promise<Execution> {
  const startedMs = performance.now();
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const { requestText, ...rest } = parseInput(shape, input);
  const asked = parseRequest(requestText);
  await prepare(ctx, asked, callerId);
  const refused: DecisionRow[] = [];
  async function work(tx: Transaction): Promise<Execution> {
    const id = uuidv7();
    const earlier = await claimIdempotencyKey(tx, id);
    if (earlier !== null) return findExecution(tx, earlier);
    const result = await start(tx, { ...rest, id, asked, startedMs });
    if ("execution" in result) return result.execution;
    refused.push(result.row);
    // Ends the transaction, which has kept the Idempotency-Key.
    throw result.error;
  }
  try {
    return await withDecisionPartition(ctx, () => ctx.transaction(work));
  } catch (error) {
    const row = refused.at(-1);
    if (row !== undefined) await ctx.services.decisions.store(row);
    throw error;
  }
}

/** Loads the policies, so that the transaction seldom needs a second connection for them. */
async function prepare(ctx: Ctx, asked: AccessRequest, callerId: string): Promise<void> {
  const { generation } = await readGateState(ctx, [asked], callerId);
  await ctx.services.policies.get(ctx.workspaceId, generation);
}

async function findExecution({ db, ctx }: Transaction, id: string): Promise<Execution> {
  return db.execution.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}
