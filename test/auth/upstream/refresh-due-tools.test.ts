import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { refreshDueTools } from "../../../src/auth/upstream/refresh-due-tools.ts";
import { refreshMcpTools } from "../../../src/auth/upstream/refresh-mcp-tools.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createMcpServer } from "../../../src/domain/mcp/create-mcp-server.ts";
import { noteMcpServerHealth } from "../../../src/domain/mcp/note-mcp-server-health.ts";
import { reviewMcpTools } from "../../../src/domain/mcp/review-mcp-tools.ts";
import { updateMcpServer } from "../../../src/domain/mcp/update-mcp-server.ts";
import { REFUND, startMcpUpstream } from "../../support/mcp-upstream.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { findTool } from "../../support/test-mcp-server.ts";
import { startUpstreamServer } from "../../support/upstream-server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer({ OUTBOUND_ALLOW: "127.0.0.0/8" });
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

/** Looks for what is due in so many minutes. */
async function refreshIn(minutes: number, services = server.services): Promise<void> {
  await refreshDueTools(services, new Date(Date.now() + minutes * 60_000));
}

async function register(url: string): Promise<string> {
  return (await createMcpServer(ctx, { slug: "shop", name: "Shop", url })).id;
}

describe("refreshDueTools", () => {
  it("asks a server about every ten minutes, on one node, so that a changed tool is denied", async () => {
    const upstream = await startMcpUpstream();
    const id = await register(upstream.url);
    await refreshMcpTools(ctx, { id });
    const tool = await findTool(ctx, id, "refund");
    const hash = Buffer.from(tool.hash).toString("hex");
    await reviewMcpTools(ctx, { serverId: id, tools: [{ id: tool.id, hash }], verdict: "approve" });
    upstream.tools = [{ ...REFUND, description: "Pays everything back." }];
    await refreshIn(9);
    expect(upstream.list("tools/list")).toHaveLength(1);
    expect(await findTool(ctx, id, "refund")).toMatchObject({ status: "approved" });
    await Promise.all([refreshIn(10.5), refreshIn(10.5)]);
    expect(upstream.list("tools/list")).toHaveLength(2);
    expect(await findTool(ctx, id, "refund")).toMatchObject({ status: "changed" });
    await refreshIn(18);
    expect(upstream.list("tools/list")).toHaveLength(2);
    await refreshIn(24);
    expect(upstream.list("tools/list")).toHaveLength(3);
  });

  it("asks a few servers of a workspace at once, and the others soon after", async () => {
    const [asked, waiting] = [new Set<string>(), new Set<ServerResponse>()];
    let isOpen = false;
    const upstream = await startUpstreamServer(({ url = "" }, response) => {
      asked.add(url);
      if (isOpen) response.writeHead(500).end();
      else waiting.add(response);
    });
    onTestFinished(() => upstream.close());
    const ids: string[] = [];
    for (const at of Array.from({ length: 9 }).keys()) {
      const fields = { slug: `shop-${at}`, name: "Shop", url: `${upstream.url}/${at}` };
      ids.push((await createMcpServer(ctx, fields)).id);
    }
    const asking = ids.slice(0, 8).map((id) => refreshMcpTools(ctx, { id }));
    await expect.poll(() => asked.size).toBe(8);
    await refreshIn(20);
    expect(asked.size).toBe(8);
    isOpen = true;
    for (const response of waiting) response.writeHead(500).end();
    await Promise.all(asking);
    // A run asks a few of them.
    for (const _id of ids) await refreshIn(21);
    expect(asked.size).toBe(9);
  });

  it("asks servers that were down apart, so that many that hang delay none that answers", async () => {
    const waiting = new Set<ServerResponse>();
    const hanging = await startUpstreamServer((_request, response) => void waiting.add(response));
    onTestFinished(() => hanging.close());
    for (const slug of Array.from({ length: 12 }, (_, at) => `silent-${at}`)) {
      const own = server.systemCtx((await server.createWorkspace()).workspaceId);
      const { id } = await createMcpServer(own, { slug, name: "Silent", url: hanging.url });
      await noteMcpServerHealth(own, { serverId: id, health: "down", problem: "It is silent." });
    }
    const upstream = await startMcpUpstream();
    await register(upstream.url);
    const run = refreshIn(20);
    await expect.poll(() => upstream.list("tools/list").length).toBe(1);
    expect(waiting.size).toBeGreaterThan(0);
    await hanging.close();
    await run;
  });

  it("leaves disabled servers alone, and says why one can't be asked", async () => {
    const upstream = await startMcpUpstream();
    const id = await register(upstream.url);
    await updateMcpServer(ctx, { id, enabled: false });
    await refreshIn(20);
    expect(upstream.requests).toEqual([]);
    await upstream.close();
    await updateMcpServer(ctx, { id, enabled: true });
    await refreshIn(20);
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
    const seen = await ctx.db.mcpServer.findUniqueOrThrow({ where });
    expect(seen).toMatchObject({ health: "down", lastError: expect.stringContaining("ECONNREFUSED") });
  });

  it("gives up when the service stops, and takes no server for broken then", async () => {
    const stopping = new AbortController();
    const upstream = await startUpstreamServer(() => stopping.abort());
    onTestFinished(() => upstream.close());
    const id = await register(upstream.url);
    await expect(refreshIn(20, { ...server.services, stopping: stopping.signal })).rejects.toMatchObject({
      errors: [{ errors: [{ code: "unavailable" }] }],
    });
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
    expect(await ctx.db.mcpServer.findUnique({ where })).toMatchObject({ health: "unknown" });
  });
});
