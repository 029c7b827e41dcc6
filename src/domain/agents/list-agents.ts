import { NOW } from "../../db/sql.ts";
import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Agent } from "../../db/generated/client.ts";
import { AgentKind, ControlState, Presence } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, type Condition, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { labels, parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { hasControlState } from "../stops/is-stopped.ts";
import { PRESENCE_SECONDS } from "./presence.ts";

const shape = z.object({
  kind: z.enum(AgentKind).nullish(),
  labels: labels.nullish(),
  archived: z.boolean().nullish(),
  controlState: z.enum(ControlState).nullish(),
  presence: z.enum(Presence).nullish(),
  /** A part of the handle or name, not case-sensitive. */
  search: text(LIMITS.queryLength).nullish(),
});

type Filters = z.output<typeof shape>;

/**
 * Lists the workspace's agents, newest first, including archived ones unless filtered. A filter reads all
 * agents of the workspace: there are at most thousands, and their last contact changes too often for an
 * index per workspace.
 *
 * @throws {DomainError} insufficient_scope without `agents:read`; validation_failed for a page out of range
 *   or an invalid filter.
 */
export async function listAgents(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Agent>> {
  requireScope(ctx, "agents:read");
  const filters = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.agent,
    collection: "agents",
    filter: filterBy(filters, COMPARED, otherConditions(filters)),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<Filters> = {
  kind: (value) => `kind = ${value}::agent_kind`,
  labels: (value) => `labels @> ${value}::jsonb`,
  controlState: (value) => hasControlState("r", value),
};

/** Conditions on the last contact for each presence. */
const SEEN = {
  online: `last_seen_at > ${NOW} - interval '${PRESENCE_SECONDS.online} seconds'`,
  stale: `last_seen_at <= ${NOW} - interval '${PRESENCE_SECONDS.online} seconds'
     AND last_seen_at > ${NOW} - interval '${PRESENCE_SECONDS.stale} seconds'`,
  offline: `(last_seen_at IS NULL OR last_seen_at <= ${NOW} - interval '${PRESENCE_SECONDS.stale} seconds')`,
} as const satisfies Record<Presence, string>;

function otherConditions({ archived, presence, search }: Filters): Condition[] {
  const conditions: Condition[] = [];
  if (typeof archived === "boolean") conditions.push(() => `archived_at IS ${archived ? "NOT " : ""}NULL`);
  if (presence) conditions.push(() => SEEN[presence]);
  if (search) {
    const part = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    conditions.push((param) => `concat_ws(' ', handle, name) ILIKE ${param(part)}`);
  }
  return conditions;
}
