import type { AgentToken, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";
import { readKeyLineage } from "../tokens/read-key-lineage.ts";

/** What of the tokens is read, and which part of the list. */
export type AgentTokenQuery = Pick<Prisma.AgentTokenFindManyArgs, "include" | "select"> & {
  take: number;
  skip: number;
};

/**
 * Lists agent tokens, newest first, without any secret: an API key sees those that it or another key
 * of its lineage minted, an agent token itself, and people from admin up all of the workspace.
 *
 * @throws {DomainError} forbidden for people who are less than an admin.
 */
export async function listAgentTokens(
  ctx: Ctx,
  query: AgentTokenQuery,
  agentId: string | null = null,
): Promise<AgentToken[]> {
  return ctx.db.agentToken.findMany({
    ...query,
    where: { ...(await buildVisibleFilter(ctx)), ...(agentId !== null && { agentId }) },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}

/** The agent tokens that a caller may see and revoke. */
export async function buildVisibleFilter(
  ctx: Ctx,
  read = ctx.read,
): Promise<{ apiKeyId?: { in: string[] }; id?: string }> {
  const { actor } = ctx;
  if (actor.type !== "agent") {
    requireRole(ctx, "admin");
    return {};
  }
  const { kind, id } = actor.credential;
  return kind === "api_key" ? { apiKeyId: { in: await readKeyLineage(ctx, id, read) } } : { id };
}
