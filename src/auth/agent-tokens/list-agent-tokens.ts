import type { AgentToken, Prisma } from "../../db/generated/client.ts";
import type { Ctx, Urgency } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";
import { readKeyLineage } from "../tokens/read-key-lineage.ts";

/** The selected columns and the page. */
export type AgentTokenQuery = Pick<Prisma.AgentTokenFindManyArgs, "include" | "select"> & {
  take: number;
  skip: number;
};

/**
 * Lists agent tokens, newest first, without secrets. An API key sees the tokens of its lineage, an agent
 * token only itself, and admins all tokens of the workspace.
 *
 * @throws {DomainError} forbidden for people below admin.
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

/** Builds the filter for the agent tokens that the caller may see and revoke. */
export async function buildVisibleFilter(
  ctx: Ctx,
  urgency?: Urgency,
): Promise<{ apiKeyId?: { in: string[] }; id?: string }> {
  const { actor } = ctx;
  if (actor.type !== "agent") {
    requireRole(ctx, "admin");
    return {};
  }
  const { kind, id } = actor.credential;
  return kind === "api_key" ? { apiKeyId: { in: await readKeyLineage(ctx, id, urgency) } } : { id };
}
