import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Agent } from "../../db/generated/client.ts";
import { AgentKind } from "../../db/generated/enums.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { labels, parseInput } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { type Filter, type Page, type PageRequest, readPage } from "../page.ts";

const shape = z.object({
  kind: z.enum(AgentKind).nullish(),
  labels: labels.nullish(),
  archived: z.boolean().nullish(),
});

/**
 * Lists the workspace's agents, newest first, archived ones too where the filter does not say otherwise.
 *
 * @throws {DomainError} insufficient_scope without `agents:read`; validation_failed for a page out of range
 *   or a filter that can't be one.
 */
export async function listAgents(
  ctx: Ctx,
  page: PageRequest,
  filter: z.input<typeof shape> = {},
): Promise<Page<Agent>> {
  requireScope(ctx, "agents:read");
  return readPage(ctx, {
    table: TABLES.agent,
    collection: "agents",
    filter: conditions(parseInput(shape, filter)),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

function conditions({ kind, labels: named, archived }: z.output<typeof shape>): Filter | null {
  const isAny = !named && !kind && typeof archived !== "boolean";
  if (isAny) return null;
  return (param) => [
    ...(kind ? [`kind = ${param(kind)}::agent_kind`] : []),
    ...(named ? [`labels @> ${param(JSON.stringify(named))}::jsonb`] : []),
    ...(typeof archived === "boolean" ? [`archived_at IS ${archived ? "NOT " : ""}NULL`] : []),
  ];
}
