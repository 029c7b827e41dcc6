import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";
import { type ListFilter, type ListPage, type PageArgs, readPage } from "../../domain/kernel/page.ts";
import { API_KEY_VIEWS, type ApiKeyView } from "./api-key-view.ts";

/**
 * Lists the workspace's API keys, the newest first; with `alive` those that work, or those that don't.
 *
 * @throws {DomainError} forbidden for less than an admin; validation_failed for a page out of range.
 */
export async function listApiKeys(
  ctx: Ctx,
  page: PageArgs,
  filter: { alive?: boolean | null | undefined } = {},
): Promise<ListPage<ApiKeyView>> {
  requireRole(ctx, "admin");
  return readPage(ctx, {
    table: API_KEY_VIEWS,
    collection: null,
    filter: buildAliveFilter(ctx, filter.alive),
    page,
  });
}

function buildAliveFilter({ now }: Ctx, alive: boolean | null | undefined): ListFilter | null {
  if (typeof alive !== "boolean") return null;
  return (param) => [
    `(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > COALESCE(${param(now)}::timestamptz, now()))) = ${param(alive)}`,
  ];
}
