import type { Prisma, WebhookEndpoint } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireRole } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";

/**
 * Lists the workspace's webhook endpoints, newest first, at most a hundred. `query` selects columns.
 *
 * @throws {DomainError} forbidden below admin, and for agents.
 */
export async function listWebhookEndpoints(
  ctx: Ctx,
  query: Pick<Prisma.WebhookEndpointFindManyArgs, "include" | "select"> = {},
): Promise<WebhookEndpoint[]> {
  requireRole(ctx, "admin");
  return ctx.db.webhookEndpoint.findMany({
    ...query,
    take: LIMITS.webhookEndpoints,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}
