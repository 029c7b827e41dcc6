import type { Execution, Prisma } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import {
  type ExecutionAppendContent,
  type ExecutionChange,
  buildExecutionAppend,
} from "./execution-event.ts";
import type { LockedExecution } from "./lock-execution.ts";

/** A change of an execution, with its event. */
export type ExecutionMove = {
  /** The columns to change. `generation` and `updatedAt` change automatically. */
  data: Prisma.ExecutionUncheckedUpdateInput;
  type: ExecutionChange;
};

/** Changes a locked execution and increments its generation. @returns the execution, and what to append. */
export async function moveExecution(
  { db, run, ctx }: Transaction,
  { execution, now }: LockedExecution,
  { data, type }: ExecutionMove,
): Promise<{ execution: Execution; appended: ExecutionAppendContent }> {
  const moved = await db.execution.update({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: execution.id } },
    data: { ...data, generation: execution.generation + 1, updatedAt: now },
  });
  const appended = buildExecutionAppend(moved, { type, from: execution.status });
  const isCall = moved.resourceType === "tool" && (await moveMcpCall(run, moved));
  const { from, to } = { from: execution.status, to: moved.status };
  if (isCall) appended.totals.push({ collection: "mcp_calls", from, to });
  return { execution: moved, appended };
}

/** The call that it is the execution of has the same status. @returns whether there is one. */
async function moveMcpCall(
  run: Transaction["run"],
  { workspaceId, id, status, endedAt, updatedAt }: Execution,
): Promise<boolean> {
  const moved = await run(MOVE_CALL, [workspaceId, id, status, endedAt, updatedAt]);
  return moved.length > 0;
}

const MOVE_CALL = sql<{ id: string }>`
UPDATE mcp_call SET status = $3::execution_status, ended_at = $4::timestamptz, updated_at = $5::timestamptz,
  generation = generation + 1
WHERE workspace_id = $1::uuid AND id = $2::uuid RETURNING id`;
