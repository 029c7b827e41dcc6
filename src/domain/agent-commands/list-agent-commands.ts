import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import { AgentCommandStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../context.ts";
import { invalid } from "../errors.ts";
import { requireScope } from "../guard.ts";
import { parseInput, uuid } from "../input.ts";
import { type Filter, type Page, type PageRequest, positionCursor, readPage } from "../page.ts";

const shape = z.object({
  status: z.enum(AgentCommandStatus).nullish(),
  agentId: uuid.nullish(),
  batchId: uuid.nullish(),
  /** A command: only those that come after it in the list. */
  before: uuid.nullish(),
});

type Filters = z.output<typeof shape>;

/**
 * Lists the commands given to the workspace's agents, newest first.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; validation_failed for a page out
 *   of range or a filter that can't be one.
 */
export async function listAgentCommands(
  ctx: Ctx,
  page: PageRequest,
  filter: z.input<typeof shape> = {},
): Promise<Page<AgentCommand>> {
  requireScope(ctx, "agent_commands:read");
  const { status, before, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.agentCommand,
    collection: "agent_commands",
    status,
    filter: conditions(rest),
    page: before ? { ...page, after: await cursorOf(ctx, before) } : page,
  });
}

function conditions({ agentId, batchId }: Pick<Filters, "agentId" | "batchId">): Filter | null {
  if (!agentId && !batchId) return null;
  return (param) => [
    ...(agentId ? [`agent_id = ${param(agentId)}::uuid`] : []),
    ...(batchId ? [`batch_id = ${param(batchId)}::uuid`] : []),
  ];
}

const PLACE = {
  name: "agent_command_place",
  text: "SELECT id, created_at FROM agent_command WHERE workspace_id = $1::uuid AND id = $2::uuid",
};

async function cursorOf(ctx: Ctx, id: string): Promise<string> {
  const [place] = await ctx.read<{ id: string; created_at: Date }>(PLACE, [ctx.workspaceId, id]);
  if (place === undefined) throw invalid("before", "is not a command of this workspace");
  return positionCursor({ id: place.id, createdAt: place.created_at });
}
