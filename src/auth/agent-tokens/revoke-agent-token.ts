import type { Ctx } from "../../domain/context.ts";
import { notFound } from "../../domain/errors.ts";
import { append } from "../../domain/events.ts";
import { requireSudo } from "../../domain/guard.ts";
import { endAgentTokens } from "./end-agent-tokens.ts";
import { visibleTokens } from "./list-agent-tokens.ts";

/**
 * Ends an agent token, and every socket token that it minted. A token that is revoked already stays so.
 *
 * @throws {DomainError} not_found for a token that the caller can't see; forbidden for people below admin, and
 *   sudo_required.
 */
export async function revokeAgentToken(ctx: Ctx, agentTokenId: string): Promise<void> {
  if (ctx.actor.type === "user") requireSudo(ctx, "admin");
  const visible = await visibleTokens(ctx, ctx.readUrgent);
  await ctx.transaction(async (tx) => {
    const token = await tx.db.agentToken.findFirst({
      where: { AND: [{ id: agentTokenId }, visible] },
      select: { id: true },
    });
    if (token === null) throw notFound("agent token");
    const told = await endAgentTokens(tx, [agentTokenId]);
    if (told.events.length > 0) await append(tx, told);
  }, "urgent");
}
