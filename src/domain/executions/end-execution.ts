import canonicalize from "canonicalize";
import { z } from "zod";
import type { Execution, Prisma } from "../../db/generated/client.ts";
import { amounts } from "../budgets/budget-amount.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { uuid } from "../kernel/input.ts";
import { findOwnApproval, requireOwnKey } from "./find-use-problem.ts";
import { requireExecutionState } from "./execution-states.ts";
import { createLeaseError, isLeaseOver } from "./lease-error.ts";
import { lockExecution } from "./lock-execution.ts";
import { moveExecution } from "./move-execution.ts";
import { requireNoMcpCall } from "./require-no-mcp-call.ts";
import { settleExecution } from "./settle-execution.ts";

/** The fields of every call of an execution's agent. */
export const startedExecution = z.object({
  id: uuid,
  fence: z
    .number()
    .refine((value) => Number.isSafeInteger(value) && value > 0, "must be a whole number above 0"),
});

/** The fields of a call that ends an execution. `amounts`: what it used of its reservation. */
export const endedExecution = startedExecution.extend({ amounts: amounts.nullish() });

/** How an execution ended, as it is stored: without secrets. */
export type ExecutionEnd =
  | { status: "completed"; result: unknown }
  | { status: "failed" | "unknown"; error: Prisma.InputJsonObject; effect: "none" | "partial" | "unknown" };

/**
 * Ends an execution by its agent, and settles its reservation if `amounts` are given. Repeating the same call changes
 * nothing and returns the same result.
 *
 * @throws {DomainError} insufficient_scope without `gateway:check`; forbidden for anybody but agents, and for another
 *   API key than that which used the approval; not_found, also for that of another agent; lease_lost for another fence,
 *   or once the lease is over; invalid_state if it has ended otherwise.
 */
export async function endExecution(
  ctx: Ctx,
  { amounts: used, ...call }: z.output<typeof endedExecution>,
  end: ExecutionEnd,
): Promise<Execution> {
  requireScope(ctx, "gateway:check");
  const agent = requireAgent(ctx);
  const execution = await ctx.transaction((tx) => endIn(tx, call, { end, agentId: agent.id }));
  // Repeating the call settles what a crash has left.
  if (used) await settleExecution(ctx, execution, used);
  return execution;
}

async function endIn(
  tx: Transaction,
  call: z.output<typeof startedExecution>,
  { end, agentId }: { end: ExecutionEnd; agentId: string },
): Promise<Execution> {
  const locked = await lockExecution(tx, call.id);
  const { approvalId } = locked.execution;
  if (locked.execution.agentId !== agentId) throw createNotFoundError("execution");
  if (approvalId !== null) requireOwnKey(tx.ctx, await findOwnApproval(tx, { id: approvalId, agentId }));
  if (Number(locked.execution.fence) !== call.fence) throw createLeaseError(locked.execution);
  await requireNoMcpCall(tx, call.id, "the proxy says how this ends");
  if (isSameEnd(locked.execution, end)) return locked.execution;
  requireExecutionState(locked.execution, "end");
  if (isLeaseOver(locked)) throw createLeaseError(locked.execution);
  const type = end.status === "unknown" ? "execution.unknown" : "execution.finished";
  const data = { ...toData(end), endedAt: locked.now };
  const { execution, appended } = await moveExecution(tx, locked, { data, type });
  append(tx, appended);
  return execution;
}

/** What a person resolved was not ended by its agent. */
function isSameEnd({ status, result, error, effect, resolvedBy }: Execution, end: ExecutionEnd): boolean {
  if (status !== end.status || resolvedBy !== null) return false;
  if (end.status === "completed") return canonicalize(result) === canonicalize(end.result);
  return effect === end.effect && canonicalize(error) === canonicalize(end.error);
}

function toData(end: ExecutionEnd): Prisma.ExecutionUncheckedUpdateInput {
  if (end.status !== "completed") return end;
  // JSON that was parsed. Null is already the column's value.
  return { status: end.status, ...(end.result !== null && { result: end.result as Prisma.InputJsonValue }) };
}
