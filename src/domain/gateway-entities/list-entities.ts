import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { GatewayEntity } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { filterBy } from "../kernel/filter-by.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { entityName } from "./entity-name.ts";
import { requireEntityReader } from "./require-entity-reader.ts";

const shape = z.object({ type: entityName.type.nullish() });

/**
 * Lists the workspace's entities, newest first.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read` or `gateway:delegate`; validation_failed for
 *   a page out of range or an invalid filter.
 */
export async function listEntities(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<GatewayEntity>> {
  requireEntityReader(ctx);
  return readPage(ctx, {
    table: TABLES.gatewayEntity,
    collection: "gateway_entities",
    filter: filterBy(parseInput(shape, filter), { type: (value) => `type = ${value}` }),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}
