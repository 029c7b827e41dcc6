import { TABLES } from "../../db/columns.ts";
import type { Mission } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { type Page, type PageRequest, readPage } from "../page.ts";

/**
 * Lists the workspace's missions, newest first; the whole list where the page asks for `all`.
 *
 * @throws {DomainError} insufficient_scope without `missions:read`; validation_failed for a page out of range.
 */
export async function listMissions(
  ctx: Ctx,
  page: PageRequest,
  filter: { status?: Mission["status"] | null | undefined } = {},
): Promise<Page<Mission>> {
  requireScope(ctx, "missions:read");
  return readPage(ctx, {
    table: TABLES.mission,
    collection: "missions",
    status: filter.status,
    page,
  });
}
