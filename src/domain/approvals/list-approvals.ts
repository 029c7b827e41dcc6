import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Approval } from "../../db/generated/client.ts";
import { ApprovalStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({
  status: z.enum(ApprovalStatus).nullish(),
  agentId: uuid.nullish(),
  taskId: uuid.nullish(),
});

/**
 * Lists the workspace's approvals, newest first.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; validation_failed for a page out of range or
 *   an invalid filter.
 */
export async function listApprovals(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Approval>> {
  requireScope(ctx, "gateway:read");
  const { status, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.approval,
    collection: "approvals",
    status,
    filter: filterBy(rest, COMPARED),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<Omit<z.output<typeof shape>, "status">> = {
  agentId: (value) => `agent_id = ${value}::uuid`,
  taskId: (value) => `task_id = ${value}::uuid`,
};
