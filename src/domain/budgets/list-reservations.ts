import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Reservation } from "../../db/generated/client.ts";
import { ReservationStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { readViews } from "./read-reservation.ts";
import { type ReservationView, toReservation } from "./reservation.ts";

const shape = z.object({
  status: z.enum(ReservationStatus).nullish(),
  assumed: z.boolean().nullish(),
  agentId: uuid.nullish(),
  budgetId: uuid.nullish(),
});

/**
 * Lists reservations, newest first, with the sums of their budgets as they are now. With a budget, those that hold
 * something of it, or for which something was charged without being known.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; validation_failed for a page out of
 *   range or an invalid filter.
 */
export async function listReservations(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<ReservationView>> {
  requireScope(ctx, "gateway:read");
  const listed = await readPage<Reservation>(ctx, {
    table: TABLES.reservation,
    collection: null,
    filter: filterBy(parseInput(shape, filter), COMPARED) ?? (() => []),
    countUpTo: LIMITS.countedMatches,
    page,
  });
  return { ...listed, nodes: await readViews(ctx, listed.nodes.map(toReservation)) };
}

const COMPARED: Comparisons<z.output<typeof shape>> = {
  status: (value) => `status = ${value}::reservation_status`,
  assumed: (value) => `assumed = ${value}::boolean`,
  agentId: (value) => `agent_id = ${value}::uuid`,
  // In the words of the index of open reservations.
  budgetId: (value) =>
    `(status = 'held' OR assumed) AND lines @> jsonb_build_array(jsonb_build_object('budgetId', ${value}::text))`,
};
