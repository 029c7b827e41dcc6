import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Mission } from "../../db/generated/client.ts";
import { MissionKind, MissionStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({
  status: z.enum(MissionStatus).nullish(),
  robotId: uuid.nullish(),
  kind: z.enum(MissionKind).nullish(),
});

/**
 * Lists the workspace's missions, newest first.
 *
 * @throws {DomainError} insufficient_scope without `missions:read`; validation_failed for a page out of
 *   range or an invalid filter.
 */
export async function listMissions(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Mission>> {
  requireScope(ctx, "missions:read");
  const { status, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.mission,
    collection: "missions",
    status,
    filter: filterBy(rest, COMPARED),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<Omit<z.output<typeof shape>, "status">> = {
  robotId: (value) => `robot_id = ${value}::uuid`,
  kind: (value) => `kind = ${value}::mission_kind`,
};
