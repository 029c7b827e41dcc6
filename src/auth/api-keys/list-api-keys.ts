import type { Ctx } from "../../domain/context.ts";
import { requireRole } from "../../domain/guard.ts";
import { type Filter, type Page, type PageRequest, readPage } from "../../domain/page.ts";
import { API_KEY_VIEWS, type ApiKeyView } from "./api-key-view.ts";

/**
 * Lists the workspace's API keys, the newest first; with `alive` those that work, or those that don't.
 *
 * @throws {DomainError} forbidden for less than an admin; validation_failed for a page out of range.
 */
export async function listApiKeys(
  ctx: Ctx,
  page: PageRequest,
  filter: { alive?: boolean | null | undefined } = {},
): Promise<Page<ApiKeyView>> {
  requireRole(ctx, "admin");
  return readPage(ctx, { table: API_KEY_VIEWS, collection: null, filter: filterOf(ctx, filter.alive), page });
}

function filterOf({ now }: Ctx, alive: boolean | null | undefined): Filter | null {
  if (typeof alive !== "boolean") return null;
  return (param) => [
    `(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > COALESCE(${param(now)}::timestamptz, now()))) = ${param(alive)}`,
  ];
}
