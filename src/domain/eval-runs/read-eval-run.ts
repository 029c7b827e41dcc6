import type { EvalRun, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";

/**
 * Reads an evaluation run of the workspace.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:read`; not_found.
 */
export async function readEvalRun(
  ctx: Ctx,
  id: string,
  query: Pick<Prisma.EvalRunFindUniqueArgs, "include" | "select"> = {},
): Promise<EvalRun> {
  requireScope(ctx, "eval_runs:read");
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const run = await ctx.db.evalRun.findUnique({ ...query, where });
  if (run === null) throw createNotFoundError("evaluation run");
  return run;
}
