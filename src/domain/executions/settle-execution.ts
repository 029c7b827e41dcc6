import { sql } from "../../db/sql.ts";
import type { Execution } from "../../db/generated/client.ts";
import type { Amounts } from "../budgets/budget-amount.ts";
import { runBudgetOperation } from "../budgets/run-budget-operation.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";

/**
 * Says what an execution used of its reservation. What was settled explicitly, or given back, stays so.
 *
 * @throws {DomainError} unavailable: the report can be repeated.
 */
export async function settleExecution(
  ctx: Ctx,
  { id: executionId, decisionId }: Execution,
  amounts: Amounts,
): Promise<void> {
  const [reservation] = await ctx.run(FIND, [ctx.workspaceId, decisionId, executionId]);
  if (reservation === undefined) return;
  const { id } = reservation;
  try {
    await runBudgetOperation(ctx, { kind: "settle", id, callerId: null, amounts });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "invalid_state")) throw error;
  }
}

const FIND = sql<{ id: string }>`
SELECT id FROM reservation
WHERE workspace_id = $1::uuid AND decision_id = $2::uuid AND execution_id = $3::uuid ORDER BY id LIMIT 1`;
