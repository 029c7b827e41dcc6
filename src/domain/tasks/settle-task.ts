import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { type HolderCall, callDigest, requireLease } from "./lease.ts";
import { type LockedTask, lockTask, requireTaskGeneration } from "./lock-task.ts";
import { type TaskMove, moveTask } from "./move-task.ts";

/** A holder's call that ends its lease. */
export type SettleCall = HolderCall & {
  id: string;
  body: object;
  ifGeneration?: readonly number[] | null | undefined;
};

/**
 * Ends a lease by its holder's call. Until the next claim, repeating the same call changes nothing and
 * returns the same result.
 *
 * @throws {DomainError} insufficient_scope without `tasks:work`; not_found; lease_lost; invalid_state;
 *   precondition_failed.
 */
export async function settleTask(
  ctx: Ctx,
  call: SettleCall,
  decide: (locked: LockedTask) => TaskMove,
): Promise<Task> {
  requireScope(ctx, "tasks:work");
  return ctx.transaction(async (tx) => {
    const locked = await lockTask(tx, call.id);
    if (requireLease(locked, ctx.actor, call) === "replay") return locked.task;
    requireTaskGeneration(locked.task, call.ifGeneration);
    const move = decide(locked);
    const data = { ...move.data, settledDigest: callDigest(call) };
    const { task, appended } = await moveTask(tx, locked, { ...move, data });
    append(tx, appended);
    return task;
  });
}
