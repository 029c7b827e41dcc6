import type { ScimToken } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";

/** Dead ones too: at most two are alive. */
const SHOWN = 20;

/**
 * Lists the SCIM tokens that the workspace had last, the newest first, without any secret.
 *
 * @throws {DomainError} forbidden for less than an admin.
 */
export async function listScimTokens(ctx: Ctx): Promise<ScimToken[]> {
  requireRole(ctx, "admin");
  return ctx.db.scimToken.findMany({ take: SHOWN, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
}
