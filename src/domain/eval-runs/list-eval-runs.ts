import { TABLES } from "../../db/columns.ts";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { type Page, type PageRequest, readPage } from "../page.ts";

/**
 * Lists the workspace's evaluation runs, newest first.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:read`; validation_failed for a page out of range.
 */
export async function listEvalRuns(
  ctx: Ctx,
  page: PageRequest,
  filter: { status?: EvalRun["status"] | null | undefined } = {},
): Promise<Page<EvalRun>> {
  requireScope(ctx, "eval_runs:read");
  return readPage(ctx, { table: TABLES.evalRun, collection: "eval_runs", status: filter.status, page });
}
