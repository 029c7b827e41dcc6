import type { EvalRun, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";

const LATEST = 5;

/**
 * Lists the newest completed evaluation runs. `query` selects columns and relations.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:read`.
 */
export async function listLatestEvalRuns(
  ctx: Ctx,
  query: Pick<Prisma.EvalRunFindManyArgs, "include" | "select"> = {},
): Promise<EvalRun[]> {
  requireScope(ctx, "eval_runs:read");
  return ctx.db.evalRun.findMany({
    ...query,
    where: { status: "completed" },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: LATEST,
  });
}
