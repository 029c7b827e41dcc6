import { NOW, sql } from "../../db/sql.ts";
import type { ScimToken } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";

/**
 * Revokes a SCIM token immediately. A token that is already revoked doesn't change.
 *
 * @throws {DomainError} forbidden below owner; sudo_required; not_found.
 */
export async function revokeScimToken(ctx: Ctx, scimTokenId: string): Promise<ScimToken> {
  requireSudo(ctx, "owner");
  return ctx.transaction(async (tx) => {
    const revoked = await tx.run(UPDATE, [ctx.workspaceId, scimTokenId]);
    const scimToken = await tx.db.scimToken.findFirst({ where: { id: scimTokenId } });
    if (scimToken === null) throw createNotFoundError("SCIM token");
    if (revoked.length === 0) return scimToken;
    const target = { targetType: "scim_token", targetId: scimTokenId };
    append(tx, {
      events: [{ type: "scim_token.revoked", subjectType: "scim_token", subjectId: scimTokenId }],
      audit: [{ action: "scim_token.revoked", ...target }],
      revocations: [{ kind: "scim_token", subjectId: scimTokenId, reason: "revoked" }],
    });
    return scimToken;
  }, "urgent");
}

const UPDATE = sql<{ id: string }>`
UPDATE scim_token SET revoked_at = ${NOW}
  WHERE workspace_id = $1::uuid AND id = $2::uuid AND revoked_at IS NULL RETURNING id`;
