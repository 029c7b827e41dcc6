import type { Execution, Prisma } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { type ExecutionChange, buildExecutionAppend } from "./execution-event.ts";
import type { LockedExecution } from "./lock-execution.ts";

/** A change of an execution, with its event. */
export type ExecutionMove = {
  /** The columns to change. `generation` and `updatedAt` change automatically. */
  data: Prisma.ExecutionUncheckedUpdateInput;
  type: ExecutionChange;
};

/** Changes a locked execution and increments its generation. @returns the execution, and what to append. */
export async function moveExecution(
  { db, ctx }: Transaction,
  { execution, now }: LockedExecution,
  { data, type }: ExecutionMove,
): Promise<{ execution: Execution; appended: Required<Pick<AppendContent, "events" | "totals">> }> {
  const moved = await db.execution.update({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: execution.id } },
    data: { ...data, generation: execution.generation + 1, updatedAt: now },
  });
  return { execution: moved, appended: buildExecutionAppend(moved, { type, from: execution.status }) };
}
