import { refreshMcpTools } from "../../auth/upstream/refresh-mcp-tools.ts";
import type { UpstreamServices } from "../../auth/upstream/upstream-services.ts";
import type { McpServer } from "../../db/generated/client.ts";
import { type Ctx, openCtx, systemCaller } from "../../domain/kernel/context.ts";
import type { Services } from "../../domain/kernel/services.ts";
import { createMcpServer } from "../../domain/mcp/create-mcp-server.ts";
import { reviewMcpTools } from "../../domain/mcp/review-mcp-tools.ts";
import { updateMcpServer } from "../../domain/mcp/update-mcp-server.ts";
import { ignoreExisting } from "../ignore-existing.ts";
import { type Shop, serveShop } from "./serve-shop.ts";
import { REVIEWED_TOOLS, SHOP_TOOLS } from "./shop-tools.ts";

const SLUG = "shop";

/**
 * Starts the MCP server of the demo's shop in this process, and registers it in the demo's workspace: most of its tools
 * are approved, one was changed since, and one is new. At a later start it has another port, and reviews stay.
 *
 * @returns a function that ends it.
 */
export async function openShop(
  services: Services & UpstreamServices,
  workspaceId: string,
): Promise<() => Promise<void>> {
  const shop = await serveShop();
  const exclude = services.outbound.admit(shop.origin);
  async function close(): Promise<void> {
    exclude();
    await shop.close();
  }
  try {
    await register(openCtx(services, systemCaller(workspaceId, "demo")), shop);
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

async function register(ctx: Ctx, shop: Shop): Promise<void> {
  const { id } = await findServer(ctx, shop.url);
  const reviewed = await ctx.db.mcpTool.count({ where: { serverId: id, reviewedAt: { not: null } } });
  if (reviewed === 0) await approveAll(ctx, id, shop);
  shop.offer(SHOP_TOOLS);
  await refreshMcpTools(ctx, { id });
}

async function findServer(ctx: Ctx, url: string): Promise<McpServer> {
  const where = { workspaceId_slug: { workspaceId: ctx.workspaceId, slug: SLUG } };
  const known = await ctx.db.mcpServer.findUnique({ where });
  if (known !== null) return updateMcpServer(ctx, { id: known.id, url });
  await ignoreExisting(createMcpServer(ctx, { slug: SLUG, name: "Web shop", url }));
  return ctx.db.mcpServer.findUniqueOrThrow({ where });
}

async function approveAll(ctx: Ctx, serverId: string, shop: Shop): Promise<void> {
  shop.offer(REVIEWED_TOOLS);
  await refreshMcpTools(ctx, { id: serverId });
  const waiting = await ctx.db.mcpTool.findMany({
    where: { serverId, status: "pending" },
    select: { id: true, hash: true },
  });
  const tools = waiting.map(({ id, hash }) => ({ id, hash: Buffer.from(hash).toString("hex") }));
  if (tools.length > 0) await reviewMcpTools(ctx, { serverId, tools, verdict: "approve" });
}
