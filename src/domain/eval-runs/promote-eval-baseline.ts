import { sql } from "../../db/sql.ts";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { requireEvalRunState } from "./eval-run-states.ts";
import { lockEvalRun } from "./lock-eval-run.ts";
import { type EvalRunAppendContent, moveEvalRun } from "./move-eval-run.ts";

/**
 * Makes a completed run its suite's baseline, instead of the previous one. Repeating the call changes
 * nothing.
 *
 * @throws {DomainError} forbidden unless the caller is a person with at least the role operator; not_found;
 *   invalid_state if the run is not completed.
 */
export async function promoteEvalBaseline(ctx: Ctx, input: { id: string }): Promise<EvalRun> {
  requireRole(ctx, "operator");
  const id = parseInput(uuid, input.id);
  return ctx.transaction(async (tx) => {
    const locked = await lockEvalRun(tx, id);
    requireEvalRunState(locked.run, "promote");
    if (locked.run.baseline) return locked.run;
    const demoted = await demote(tx, locked.run);
    const { run, appended } = await moveEvalRun(tx, locked, {
      data: { baseline: true },
      event: "eval_run.updated",
      audit: {
        action: "eval_run.baseline_promoted",
        changes: { suite: locked.run.suite, replaced: demoted?.id ?? null },
      },
    });
    append(tx, mergeAppends(...(demoted === null ? [] : [demoted.appended]), appended));
    return run;
  });
}

/**
 * Removes the suite's baseline. Under a lock: concurrent promotions would otherwise both find the old one.
 */
async function demote(
  tx: Transaction,
  { workspaceId, suite }: EvalRun,
): Promise<{ id: string; appended: EvalRunAppendContent } | null> {
  await tx.run(LOCK, [`eval_baseline ${workspaceId} ${suite}`]);
  const current = await tx.db.evalRun.findFirst({ where: { suite, baseline: true }, select: { id: true } });
  if (current === null) return null;
  const locked = await lockEvalRun(tx, current.id);
  const { appended } = await moveEvalRun(tx, locked, {
    data: { baseline: false },
    event: "eval_run.updated",
  });
  return { id: current.id, appended };
}

const LOCK = sql`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text`;
