import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Execution } from "../../db/generated/client.ts";
import { ExecutionStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { requireReader } from "./read-execution.ts";

const shape = z.object({
  status: z.enum(ExecutionStatus).nullish(),
  agentId: uuid.nullish(),
  approvalId: uuid.nullish(),
  decisionId: uuid.nullish(),
});

/**
 * Lists executions, newest first: of all agents, or without `gateway:read` of the calling agent.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`, or `gateway:check` for an agent's own;
 *   validation_failed for a page out of range or an invalid filter.
 */
export async function listExecutions(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Execution>> {
  const ownerId = requireReader(ctx);
  const { status, ...rest } = parseInput(shape, filter);
  const agentId = rest.agentId ?? ownerId;
  if (ownerId !== null && agentId !== ownerId) {
    throw createFieldError("agentId", "must be your own, unless you have the scope gateway:read");
  }
  return readPage(ctx, {
    table: TABLES.execution,
    collection: "executions",
    status,
    filter: filterBy({ ...rest, agentId }, COMPARED),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<Omit<z.output<typeof shape>, "status">> = {
  agentId: (value) => `agent_id = ${value}::uuid`,
  approvalId: (value) => `approval_id = ${value}::uuid`,
  decisionId: (value) => `decision_id = ${value}::uuid`,
};
