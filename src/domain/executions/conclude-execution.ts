import type { Execution } from "../../db/generated/client.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { requireExecutionState } from "./execution-states.ts";
import { lockExecution } from "./lock-execution.ts";
import { moveExecution } from "./move-execution.ts";

/** What a person says of an execution. */
export type Conclusion = {
  id: string;
  outcome: "completed" | "failed" | "retried";
  reason: string;
  /** The execution that does it again. */
  retryId: string | null;
};

/**
 * Writes what a person says of an execution whose outcome is open.
 *
 * @returns the execution, and what the transaction must append.
 * @throws {DomainError} not_found; invalid_state.
 */
export async function concludeExecution(
  tx: Transaction,
  { id, outcome, reason, retryId }: Conclusion,
): Promise<{ execution: Execution; appended: AppendContent }> {
  const locked = await lockExecution(tx, id);
  requireExecutionState(locked.execution, "resolve");
  const { status: from, requestHash } = locked.execution;
  const data = { status: outcome, resolvedBy: createActorRecord(tx.ctx.actor), resolvedReason: reason };
  const { execution, appended } = await moveExecution(tx, locked, { data, type: "execution.resolved" });
  const changes = {
    status: { from, to: outcome },
    reason,
    retry_id: retryId,
    request_hash: Buffer.from(requestHash).toString("hex"),
  };
  const audit = [{ action: "execution.resolved", targetType: "execution", targetId: id, changes }];
  return { execution, appended: { ...appended, audit } };
}
