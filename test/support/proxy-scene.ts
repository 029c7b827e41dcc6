import type { McpCall, McpServer } from "../../src/db/generated/client.ts";
import { refreshMcpTools } from "../../src/auth/upstream/refresh-mcp-tools.ts";
import { setMcpCredential } from "../../src/auth/upstream/set-mcp-credential.ts";
import { createMcpServer } from "../../src/domain/mcp/create-mcp-server.ts";
import { reviewMcpTools } from "../../src/domain/mcp/review-mcp-tools.ts";
import { type HookScene, createHookScene } from "./hook-scene.ts";
import { type Era, type McpClient, createMcpClient } from "./mcp.ts";
import type { TestClient } from "./test-client.ts";
import { type TestWorld, createWorld } from "./test-world.ts";

export const UPSTREAM_SECRET = "hunter2-hunter2-hunter2";

/** A world whose requests may reach upstreams on loopback. */
export async function createProxyWorld(): Promise<TestWorld> {
  return createWorld({ SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"), OUTBOUND_ALLOW: "127.0.0.0/8" });
}

/** What a tool answers. */
export type ToolResult = {
  isError?: boolean;
  content: { text: string }[];
  _meta?: Record<string, unknown>;
};

type CallOptions = { era?: Era; client?: TestClient };

/** A workspace in which `crm` may be used, and people are asked about large refunds of `stripe`. */
export type ProxyScene = HookScene & {
  world: TestWorld;
  /** The agent as a client of the proxy before this server. */
  clientOf: (slug: string, era?: Era, options?: { client?: TestClient; capabilities?: object }) => McpClient;
  /** Registers a server with a credential, and approves what it lists. */
  register: (slug: string, url: string, options?: { holdSeconds?: number }) => Promise<McpServer>;
  approveAll: (serverId: string) => Promise<void>;
  /** Calls a tool of a server. */
  call: (slug: string, params: object, options?: CallOptions) => Promise<ToolResult>;
  /** The calls that were passed on, oldest first. */
  listCalls: () => Promise<McpCall[]>;
};

export async function createProxyScene(world: TestWorld): Promise<ProxyScene> {
  const scene = await createHookScene(world);
  const { ctx } = scene;
  async function approveAll(serverId: string): Promise<void> {
    const tools = await ctx.db.mcpTool.findMany({ where: { serverId } });
    const seen = tools.map(({ id, hash }) => ({ id, hash: Buffer.from(hash).toString("hex") }));
    await reviewMcpTools(ctx, { serverId, tools: seen, verdict: "approve" });
  }
  const clientOf: ProxyScene["clientOf"] = (
    slug,
    era = "modern",
    { client = scene.agent, capabilities } = {},
  ) => createMcpClient(at(client, `/mcp/proxy/${slug}`), era, capabilities);
  return {
    ...scene,
    ...{ world, approveAll, clientOf },
    // The tests' upstreams answer so.
    call: async (slug, params, { era, ...options } = {}) =>
      (await clientOf(slug, era, options).request("tools/call", params)) as ToolResult,
    listCalls: async () => ctx.db.mcpCall.findMany({ where: {}, orderBy: { createdAt: "asc" } }),
    register: async (slug, url, options = {}) => {
      const { id } = await createMcpServer(ctx, { slug, name: slug, url, ...options });
      await setMcpCredential(ctx, { serverId: id, secret: UPSTREAM_SECRET });
      await refreshMcpTools(ctx, { id });
      await approveAll(id);
      return ctx.db.mcpServer.findUniqueOrThrow({
        where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
      });
    },
  };
}

/** A client whose posts go to one path. */
function at(client: TestClient, path: string): TestClient {
  return { ...client, post: (_path, body, headers) => client.post(path, body, headers) };
}
