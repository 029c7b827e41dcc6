import { refreshMcpTools } from "../src/auth/upstream/refresh-mcp-tools.ts";
import { createUser } from "../src/auth/users/create-user.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { openCtx, systemCaller } from "../src/domain/kernel/context.ts";
import { createMcpServer } from "../src/domain/mcp/create-mcp-server.ts";
import { reviewMcpTools } from "../src/domain/mcp/review-mcp-tools.ts";
import { createPolicy } from "../src/domain/policies/create-policy.ts";
import type { OpenServices } from "../src/services.ts";
import { type Approver, listRules } from "./gateway-seed.ts";

export const SLUG = "stripe";

/** A workspace with an MCP server and 50 policies about its tool, and who approves there. */
export type McpSeed = { apiKey: string; approver: Approver };

export async function seedMcp(services: OpenServices, url: string): Promise<McpSeed> {
  const { workspaceId, apiKey } = await createWorkspace(services, { name: "Proxy", policies: [] });
  const ctx = openCtx(services, systemCaller(workspaceId, "bench"));
  for (const rule of listRules()) await createPolicy(ctx, rule);
  const { id: serverId } = await createMcpServer(ctx, { slug: SLUG, name: "Stripe", url, holdSeconds: 590 });
  await refreshMcpTools(ctx, { id: serverId });
  const listed = await ctx.db.mcpTool.findMany({ where: { serverId } });
  const tools = listed.map(({ id, hash }) => ({ id, hash: Buffer.from(hash).toString("hex") }));
  await reviewMcpTools(ctx, { serverId, tools, verdict: "approve" });
  const approver = { email: "ada@example.com", password: "correct horse battery" };
  await createUser(ctx, services.passwords, {
    ...approver,
    name: "Ada",
    role: "operator",
    confirmed: true,
  });
  return { apiKey, approver };
}
