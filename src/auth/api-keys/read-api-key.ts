import { sql } from "../../db/sql.ts";
import { selectList } from "../../db/columns.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { requireRole } from "../../domain/kernel/guard.ts";
import { API_KEY_VIEWS, type ApiKeyView } from "./api-key-view.ts";

/**
 * Reads one API key, valid or not.
 *
 * @throws {DomainError} forbidden below admin; not_found.
 */
export async function readApiKey(ctx: Ctx, apiKeyId: string): Promise<ApiKeyView> {
  requireRole(ctx, "admin");
  const [key] = await ctx.read(READ, [ctx.workspaceId, apiKeyId]);
  if (key === undefined) throw createNotFoundError("API key");
  return key;
}

const READ = sql<ApiKeyView>`SELECT ${selectList("k", API_KEY_VIEWS)} FROM ${API_KEY_VIEWS.name} k WHERE workspace_id = $1::uuid AND id = $2::uuid`;
