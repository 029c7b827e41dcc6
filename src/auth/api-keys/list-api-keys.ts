import { buildValidSql, getOwnValidity } from "../../domain/credentials/validity-sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";
import { type ListFilter, type ListPage, type PageArgs, readPage } from "../../domain/kernel/page.ts";
import { API_KEY_VIEWS, type ApiKeyView } from "./api-key-view.ts";

/**
 * Lists the workspace's API keys, newest first. `valid` selects valid keys (true) or revoked and expired
 * ones (false).
 *
 * @throws {DomainError} forbidden below admin; validation_failed for a page out of range.
 */
export async function listApiKeys(
  ctx: Ctx,
  page: PageArgs,
  filter: { valid?: boolean | null | undefined } = {},
): Promise<ListPage<ApiKeyView>> {
  requireRole(ctx, "admin");
  return readPage(ctx, {
    table: API_KEY_VIEWS,
    collection: null,
    filter: buildValidityFilter(filter.valid),
    page,
  });
}

function buildValidityFilter(valid: boolean | null | undefined): ListFilter | null {
  if (typeof valid !== "boolean") return null;
  return (param) => [`${buildValidSql(getOwnValidity())} = ${param(valid)}`];
}
