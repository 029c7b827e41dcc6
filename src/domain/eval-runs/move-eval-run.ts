import type { EvalRun, Prisma } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent, EventInput } from "../kernel/events.ts";
import type { LockedEvalRun } from "./lock-eval-run.ts";

/** What changes of a run, and how that is told. */
export type EvalRunMove = {
  /** The columns that change; `generation` and `updatedAt` change by themselves. */
  data: Prisma.EvalRunUncheckedUpdateInput;
  /** Such as `eval_run.completed`. */
  event: string;
  /** For the trail, where a person does it. */
  audit?: { action: string; changes?: Record<string, unknown> };
};

/** What a transaction that moved a run is to append. */
export type EvalRunAppendContent = Required<Pick<AppendContent, "events" | "totals" | "audit">>;

/** Changes a locked run and counts its generation. @returns the run, and what is to be appended for it. */
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

/** What is told of a run that changed. */
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
