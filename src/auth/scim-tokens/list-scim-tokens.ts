import type { ScimToken } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";

/** Includes revoked and expired ones: at most two are valid. */
const SHOWN = 20;

/**
 * Lists the workspace's latest SCIM tokens, newest first, without secrets.
 *
 * @throws {DomainError} forbidden below admin.
 */
export async function listScimTokens(ctx: Ctx): Promise<ScimToken[]> {
  requireRole(ctx, "admin");
  return ctx.db.scimToken.findMany({ take: SHOWN, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
}
