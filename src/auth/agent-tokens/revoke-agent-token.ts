import type { Ctx } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { endAgentTokens } from "./end-agent-tokens.ts";
import { buildVisibleFilter } from "./list-agent-tokens.ts";

/**
 * Revokes an agent token and every socket token that it minted. A token that is already revoked doesn't
 * change.
 *
 * @throws {DomainError} not_found for a token that the caller can't see; forbidden for people below admin;
 *   sudo_required.
 */
export async function revokeAgentToken(ctx: Ctx, agentTokenId: string): Promise<void> {
  if (ctx.actor.type === "user") requireSudo(ctx, "admin");
  const visible = await buildVisibleFilter(ctx, "urgent");
  await ctx.transaction(async (tx) => {
    const token = await tx.db.agentToken.findFirst({
      where: { AND: [{ id: agentTokenId }, visible] },
      select: { id: true },
    });
    if (token === null) throw createNotFoundError("agent token");
    const ended = await endAgentTokens(tx, [agentTokenId]);
    if (ended.events.length > 0) append(tx, ended);
  }, "urgent");
}
