import type { Ctx } from "../../domain/context.ts";
import { notFound } from "../../domain/errors.ts";
import { append } from "../../domain/events.ts";
import { requireSudo } from "../../domain/guard.ts";
import { visibleTokens } from "./list-agent-tokens.ts";

/**
 * Ends an agent token, and every socket token that it minted. A token that is revoked already stays so.
 *
 * @throws {DomainError} not_found for a token that the caller can't see; forbidden for people below admin, and
 *   sudo_required.
 */
export async function revokeAgentToken(ctx: Ctx, agentTokenId: string): Promise<void> {
  if (ctx.actor.type === "user") requireSudo(ctx, "admin");
  const visible = await visibleTokens(ctx);
  await ctx.transaction(async (tx) => {
    const token = await tx.db.agentToken.findFirst({
      where: { AND: [{ id: agentTokenId }, visible] },
      select: { agentId: true },
    });
    if (token === null) throw notFound("agent token");
    const revoked = await tx.db.$queryRawUnsafe<{ id: string }[]>(
      `UPDATE agent_token SET revoked_at = COALESCE($3::timestamptz, now())
       WHERE workspace_id = $1::uuid AND id = $2::uuid AND revoked_at IS NULL RETURNING id`,
      ...[ctx.workspaceId, agentTokenId, ctx.now],
    );
    if (revoked.length === 0) return;
    await tx.db.socketToken.deleteMany({ where: { agentTokenId } });
    const target = { targetType: "agent_token", targetId: agentTokenId };
    await append(tx, {
      events: [
        {
          type: "agent_token.revoked",
          subjectType: "agent_token",
          subjectId: agentTokenId,
          agentId: token.agentId,
        },
      ],
      audit: [{ action: "agent_token.revoked", ...target }],
      revocations: [{ kind: "agent_token", subjectId: agentTokenId, reason: "revoked" }],
    });
  });
}
