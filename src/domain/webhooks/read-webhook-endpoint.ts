import { z } from "zod";
import type { Prisma, WebhookEndpoint } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";

const shape = z.object({ id: uuid });

/**
 * Reads one webhook endpoint. `query` selects columns.
 *
 * @throws {DomainError} forbidden below admin, and for agents; not_found.
 */
export async function readWebhookEndpoint(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.WebhookEndpointFindUniqueArgs, "include" | "select"> = {},
): Promise<WebhookEndpoint> {
  requireRole(ctx, "admin");
  const { id } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const endpoint = await ctx.db.webhookEndpoint.findUnique({ ...query, where });
  if (endpoint === null) throw createNotFoundError("webhook endpoint");
  return endpoint;
}
