import type { Ctx } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { revokeAgentToken } from "../agent-tokens/revoke-agent-token.ts";
import { type KnownToken, findToken } from "./find-token.ts";
import { readKeyLineage } from "./read-key-lineage.ts";

/**
 * Revokes an agent token or socket token, given as text, if it is the caller's own or was minted by the
 * caller. Does nothing for any other text, so the caller learns nothing.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7009
 */
export async function revokeToken(ctx: Ctx, token: string): Promise<void> {
  const found = await findToken(ctx, token, "urgent");
  if (found === null || found.kind === "api_key" || !(await isOwn(ctx, found))) return;
  if (found.kind === "agent_token") await revokeAgentToken(ctx, found.id);
  else await deleteSocketToken(ctx, found);
}

async function isOwn(ctx: Ctx, { apiKeyId, agentTokenId }: KnownToken): Promise<boolean> {
  if (ctx.actor.type !== "agent") return false;
  const { kind, id } = ctx.actor.credential;
  if (kind === "agent_token") return id === agentTokenId;
  return apiKeyId !== null && (await readKeyLineage(ctx, id, "urgent")).includes(apiKeyId);
}

async function deleteSocketToken(ctx: Ctx, { id, agentId }: KnownToken): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { count } = await tx.db.socketToken.deleteMany({ where: { id } });
    if (count === 0) return;
    append(tx, {
      events: [{ type: "socket_token.revoked", subjectType: "socket_token", subjectId: id, agentId }],
      audit: [{ action: "socket_token.revoked", targetType: "socket_token", targetId: id }],
    });
  }, "urgent");
}
