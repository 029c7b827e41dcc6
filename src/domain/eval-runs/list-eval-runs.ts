import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { EvalRun } from "../../db/generated/client.ts";
import { EvalRunStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { name, parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListFilter, type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({
  status: z.enum(EvalRunStatus).nullish(),
  suite: name(LIMITS.nameLength).nullish(),
  agentId: uuid.nullish(),
});

/**
 * Lists the workspace's evaluation runs, newest first.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:read`; validation_failed for a page out of
 *   range or an invalid filter.
 */
export async function listEvalRuns(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<EvalRun>> {
  requireScope(ctx, "eval_runs:read");
  const { status, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.evalRun,
    collection: "eval_runs",
    status,
    filter: conditions(rest),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

function conditions({ suite, agentId }: Omit<z.output<typeof shape>, "status">): ListFilter | null {
  if (!suite && !agentId) return null;
  return (param) => [
    ...(suite ? [`suite = ${param(suite)}`] : []),
    ...(agentId ? [`agent_id = ${param(agentId)}::uuid`] : []),
  ];
}
