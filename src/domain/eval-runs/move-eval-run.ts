import type { EvalRun, Prisma } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent, EventInput } from "../kernel/events.ts";
import type { LockedEvalRun } from "./lock-eval-run.ts";

/** A change of a run, with its event. */
export type EvalRunMove = {
  /** The columns to change. `generation` and `updatedAt` change automatically. */
  data: Prisma.EvalRunUncheckedUpdateInput;
  /** Such as `eval_run.completed`. */
  event: string;
  /** The audit event, if a person makes the change. */
  audit?: { action: string; changes?: Record<string, unknown> };
};

/** What a transaction that changes a run must append. */
export type EvalRunAppendContent = Required<Pick<AppendContent, "events" | "totals" | "audit">>;

/** Changes a locked run and increments its generation. @returns the run, and what to append. */
export async function moveEvalRun(
  { db, ctx }: Transaction,
  { run, now }: LockedEvalRun,
  { data, event, audit }: EvalRunMove,
): Promise<{ run: EvalRun; appended: EvalRunAppendContent }> {
  const moved = await db.evalRun.update({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: run.id } },
    data: { ...data, generation: run.generation + 1, updatedAt: now },
  });
  const isAudited = audit !== undefined && ctx.actor.type !== "agent";
  return {
    run: moved,
    appended: {
      events: [evalRunEvent(event, moved)],
      totals: [{ collection: "eval_runs", from: run.status, to: moved.status }],
      audit: isAudited ? [{ ...audit, targetType: "eval_run", targetId: run.id }] : [],
    },
  };
}

/** Builds a run's event. */
export function evalRunEvent(type: string, run: EvalRun, more: Record<string, unknown> = {}): EventInput {
  const { id, agentId, generation, status, suite, verdict, baseline } = run;
  return {
    type,
    subjectType: "eval_run",
    subjectId: id,
    agentId,
    data: { generation, status, suite, verdict, is_baseline: baseline, ...more },
  };
}
