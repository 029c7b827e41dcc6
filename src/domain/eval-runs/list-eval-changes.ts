import { buildStatement } from "../../db/sql.ts";
import type { EvalResultStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import type { EvalComparison } from "./compare-eval-runs.ts";
import { EVAL_CHANGES, type EvalChangeKind, EVAL_RESULT_PAIRS } from "./eval-changes.ts";

/**
 * An item with a different result: its status in the baseline and in the run; null if one does not have the
 * item.
 */
export type EvalChange = {
  itemKey: string;
  from: EvalResultStatus | null;
  to: EvalResultStatus | null;
  traceId: string | null;
  baselineTraceId: string | null;
};

/**
 * Lists the items of a comparison with one kind of change, ordered by key.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:read`.
 */
export async function listEvalChanges(
  ctx: Ctx,
  { run, baseline, counts, slice }: EvalComparison,
  kind: EvalChangeKind,
): Promise<EvalChange[]> {
  requireScope(ctx, "eval_runs:read");
  if (slice.limit === 0 || slice.offset >= counts[kind]) return [];
  const text = `
WITH pairs AS MATERIALIZED (${EVAL_RESULT_PAIRS})
SELECT * FROM pairs WHERE ${EVAL_CHANGES[kind]} ORDER BY "itemKey" LIMIT $4 OFFSET $5`;
  const values = [ctx.workspaceId, run.id, baseline.id, slice.limit, slice.offset];
  return ctx.read(buildStatement<EvalChange>("", text), values);
}
