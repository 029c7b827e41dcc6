import type { Ctx } from "../../domain/context.ts";
import { notFound } from "../../domain/errors.ts";
import { append } from "../../domain/events.ts";
import { requireRole } from "../../domain/guard.ts";

/**
 * Ends an API key and with it every token that it minted. A key that is revoked already stays as it is.
 *
 * @throws {DomainError} forbidden for less than an admin; not_found.
 */
export async function revokeApiKey(ctx: Ctx, apiKeyId: string, reason = "revoked"): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const [key] = await tx.db.$queryRawUnsafe<{ agentId: string; revoked: boolean }[]>(
      `WITH revoked AS (
         UPDATE api_key SET revoked_at = COALESCE($3::timestamptz, now()), revoked_reason = $4
         WHERE workspace_id = $1::uuid AND id = $2::uuid AND revoked_at IS NULL RETURNING 1
       )
       SELECT agent_id AS "agentId", EXISTS (SELECT 1 FROM revoked) AS revoked
       FROM api_key WHERE workspace_id = $1::uuid AND id = $2::uuid`,
      ...[ctx.workspaceId, apiKeyId, ctx.now, reason],
    );
    if (key === undefined) throw notFound("API key");
    if (!key.revoked) return;
    await append(tx, {
      events: [
        {
          type: "api_key.revoked",
          subjectType: "api_key",
          subjectId: apiKeyId,
          agentId: key.agentId,
          data: { reason },
        },
      ],
      audit: [{ action: "api_key.revoked", targetType: "api_key", targetId: apiKeyId, changes: { reason } }],
      revocations: [{ kind: "api_key", subjectId: apiKeyId, reason }],
    });
  });
}
