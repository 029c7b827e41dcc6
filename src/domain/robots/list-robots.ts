import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Robot } from "../../db/generated/client.ts";
import { ControlState, RobotStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListFilter, type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { hasControlState } from "../stops/is-stopped.ts";

const shape = z.object({
  status: z.enum(RobotStatus).nullish(),
  controlState: z.enum(ControlState).nullish(),
  fleet: text(LIMITS.nameLength).nullish(),
  /** A part of the name, handle, manufacturer, model or serial number, not case-sensitive. */
  search: text(LIMITS.queryLength).nullish(),
});

/**
 * Lists the workspace's robots, newest first.
 *
 * @throws {DomainError} insufficient_scope without `robots:read`; validation_failed for a page out of range
 *   or an invalid filter.
 */
export async function listRobots(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Robot>> {
  requireScope(ctx, "robots:read");
  return readPage(ctx, {
    table: TABLES.robot,
    collection: "robots",
    filter: conditions(parseInput(shape, filter)),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

function conditions({ status, controlState, fleet, search }: z.output<typeof shape>): ListFilter | null {
  if (!status && !controlState && !fleet && !search) return null;
  return (param) => [
    ...(status ? [`status = ${param(status)}::robot_status`] : []),
    ...(controlState ? [CONTROLLED.replace("$c", hasControlState("a", param(controlState)))] : []),
    ...(fleet ? [`fleet = ${param(fleet)}`] : []),
    ...(search ? [SEARCHED.replaceAll("$q", param(`%${escapeLike(search)}%`))] : []),
  ];
}

const CONTROLLED =
  "EXISTS (SELECT 1 FROM agent a WHERE a.workspace_id = r.workspace_id AND a.id = r.id AND $c)";

const SEARCHED = `(manufacturer ILIKE $q OR model ILIKE $q OR serial_number ILIKE $q OR EXISTS (
  SELECT 1 FROM agent a WHERE a.workspace_id = r.workspace_id AND a.id = r.id
    AND (a.name ILIKE $q OR a.handle ILIKE $q)))`;

/** Escapes the wildcards of LIKE. */
function escapeLike(search: string): string {
  return search.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
