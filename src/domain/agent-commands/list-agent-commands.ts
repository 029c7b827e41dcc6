import { sql } from "../../db/sql.ts";
import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import { AgentCommandStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { positionCursor } from "../kernel/cursors.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { namedInTrace } from "../traces/named-in-trace.ts";
import { traceId } from "../traces/trace-ids.ts";

const shape = z.object({
  status: z.enum(AgentCommandStatus).nullish(),
  agentId: uuid.nullish(),
  batchId: uuid.nullish(),
  /** Matches any of these. */
  statuses: z.array(z.enum(AgentCommandStatus)).min(1, "must name at least one status").nullish(),
  type: text(LIMITS.commandTypeLength).nullish(),
  taskId: uuid.nullish(),
  missionId: uuid.nullish(),
  traceId: traceId.nullish(),
  createdFrom: z.date().nullish(),
  createdTo: z.date().nullish(),
  /** Only commands after this one in the list. */
  before: uuid.nullish(),
});

type Filters = Omit<z.output<typeof shape>, "status" | "before">;

/**
 * Lists the workspace's commands, newest first. `createdFrom` is inclusive, `createdTo` exclusive.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; validation_failed for a page out
 *   of range or an invalid filter.
 */
export async function listAgentCommands(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<AgentCommand>> {
  requireScope(ctx, "agent_commands:read");
  const { status, before, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.agentCommand,
    collection: "agent_commands",
    status,
    filter: filterBy(rest, COMPARED),
    countUpTo: LIMITS.countedMatches,
    page: before ? { ...page, after: await readCursor(ctx, before) } : page,
  });
}

const COMPARED: Comparisons<Filters> = {
  agentId: (value) => `agent_id = ${value}::uuid`,
  batchId: (value) => `batch_id = ${value}::uuid`,
  statuses: (value) => `status = ANY(${value}::agent_command_status[])`,
  type: (value) => `type = ${value}`,
  taskId: (value) => `task_id = ${value}::uuid`,
  missionId: (value) => `mission_id = ${value}::uuid`,
  traceId: (value) => namedInTrace(value, "aos.command_id"),
  createdFrom: (value) => `created_at >= ${value}::timestamptz`,
  createdTo: (value) => `created_at < ${value}::timestamptz`,
};

const PLACE = sql<{
  id: string;
  created_at: Date;
}>`SELECT id, created_at FROM agent_command WHERE workspace_id = $1::uuid AND id = $2::uuid`;

async function readCursor(ctx: Ctx, id: string): Promise<string> {
  const [place] = await ctx.read(PLACE, [ctx.workspaceId, id]);
  if (place === undefined) throw createFieldError("before", "is not a command of this workspace");
  return positionCursor({ id: place.id, createdAt: place.created_at });
}
