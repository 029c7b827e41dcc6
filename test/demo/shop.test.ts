import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { refreshMcpTools } from "../../src/auth/upstream/refresh-mcp-tools.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createMcpServer } from "../../src/domain/mcp/create-mcp-server.ts";
import { answerMessage } from "../../src/demo/shop/answer-message.ts";
import { openShop } from "../../src/demo/shop/open-shop.ts";
import { createPolicies } from "../../src/demo/create-policies.ts";
import { callShop } from "../../src/demo/simulator/call-shop.ts";
import { openDemoAgent } from "../../src/demo/simulator/demo-agent.ts";
import { serveShop } from "../../src/demo/shop/serve-shop.ts";
import { SHOP_TOOLS } from "../../src/demo/shop/shop-tools.ts";
import { reviewMcpTools } from "../../src/domain/mcp/review-mcp-tools.ts";
import { approve } from "../support/approve.ts";
import { insertTestAgent } from "../support/factories.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { findTool } from "../support/test-mcp-server.ts";
import { startUpstreamServer } from "../support/upstream-server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  // Without OUTBOUND_ALLOW, as a fresh `npm start`.
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

async function open(): Promise<() => Promise<void>> {
  const close = await openShop(server.services, ctx.workspaceId);
  onTestFinished(close);
  return close;
}

async function readShop() {
  return ctx.db.mcpServer.findFirstOrThrow({ where: { slug: "shop" }, include: { tools: true } });
}

async function readStatuses(): Promise<Record<string, string>> {
  return Object.fromEntries((await readShop()).tools.map(({ name, status }) => [name, status]));
}

describe("openShop", () => {
  it("registers a shop of which one tool was changed and one is new, without any configuration", async () => {
    await open();
    expect(await readShop()).toMatchObject({ health: "ok", lastError: null, protocolVersion: "2026-07-28" });
    expect(await readStatuses()).toEqual({
      ...{ search_products: "approved", get_order: "approved", get_price: "approved" },
      ...{ set_price: "approved", delete_review: "approved" },
      ...{ refund_order: "changed", cancel_order: "pending" },
    });
  });

  it("goes on after a restart on another port, with what people have reviewed", async () => {
    const close = await open();
    const { id: serverId, url } = await readShop();
    const { id, hash } = await findTool(ctx, serverId, "refund_order");
    const tools = [{ id, hash: Buffer.from(hash).toString("hex") }];
    await reviewMcpTools(ctx, { serverId, tools, verdict: "approve" });
    // The port of the first is not free yet.
    await open();
    await close();
    const moved = await readShop();
    expect(moved).toMatchObject({ id: serverId, health: "ok" });
    expect(moved.url).not.toBe(url);
    expect(await readStatuses()).toMatchObject({ refund_order: "approved", cancel_order: "pending" });
  });

  it("lets requests reach nothing else on this machine, and not the shop once it is closed", async () => {
    const other = await startUpstreamServer((_request, response) => response.writeHead(200).end("{}"));
    onTestFinished(() => other.close());
    const close = await open();
    const { id: shopId, url } = await readShop();
    const urls = {
      other: other.url,
      named: url.replace("127.0.0.1", "localhost"),
      secure: url.replace("http:", "https:"),
    };
    for (const [slug, target] of Object.entries(urls)) {
      const { id } = await createMcpServer(ctx, { slug, name: slug, url: target });
      const { health, lastError } = await refreshMcpTools(ctx, { id });
      expect({ slug, health, lastError }).toEqual({
        ...{ slug, health: "down" },
        lastError: expect.stringContaining("is a loopback address"),
      });
    }
    expect(other.connections()).toBe(0);
    await close();
    const { lastError } = await refreshMcpTools(ctx, { id: shopId });
    expect(lastError).toContain("is a loopback address");
  });
});

describe("callShop", () => {
  it("calls what policies allow, once, and what people approve as soon as they do", async () => {
    await open();
    await createPolicies(ctx);
    const agent = openDemoAgent(ctx, { id: await insertTestAgent(ctx), name: "catalogue writer" });
    const readCalls = () => ctx.db.mcpCall.findMany({ orderBy: { createdAt: "asc" } });
    await callShop(agent, "get_price", { sku: "TN-210" });
    await callShop(agent, "set_price", { sku: "TN-210", price_sek: 1 });
    expect(await readCalls()).toMatchObject([{ tool: "get_price", status: "completed", isError: false }]);
    const calling = callShop(agent, "delete_review", { sku: "TN-210", review: 7, reason: "spam" });
    await expect.poll(() => ctx.db.approval.count({ where: { status: "pending" } })).toBe(1);
    const { id } = await ctx.db.approval.findFirstOrThrow();
    await approve(server, ctx.workspaceId, id);
    await calling;
    expect(await readCalls()).toMatchObject([
      { tool: "get_price" },
      { tool: "delete_review", status: "completed", approvalId: id },
    ]);
  });
});

describe("the shop's MCP server", () => {
  const call = (name: string, args: object) =>
    answerMessage(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
      SHOP_TOOLS,
    );

  it.each([
    ["search_products", { text: "rain jacket" }, "JK-402"],
    ["get_order", { order_id: "NL-48213" }, "delivered"],
    ["get_price", { sku: "TN-210" }, "3490"],
    ["set_price", { sku: "TN-210", price_sek: 3000 }, '"price_sek":3000'],
    ["delete_review", { sku: "TN-210", review: 7, reason: "spam" }, '"deleted":7'],
    ["refund_order", { order_id: "NL-48187", amount: 649 }, '"refunded":649'],
    ["cancel_order", { order_id: "NL-48255" }, "cancelled"],
  ])("runs %s", (name, args, text) => {
    expect(call(name, args)).toMatchObject({
      result: { content: [{ text: expect.stringContaining(text) }] },
    });
  });

  it("answers what it can't do with an error", () => {
    expect(call("fly", {})).toMatchObject({ result: { isError: true } });
    expect(call("get_order", { order_id: "__proto__" })).toMatchObject({ result: { isError: true } });
    const other = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "resources/list" });
    expect(answerMessage(other, [])).toMatchObject({ id: 7, error: { code: -32_601 } });
    for (const text of ["", "[]", '{"id":{}}']) {
      expect(answerMessage(text, [])).toMatchObject({ id: null, error: { code: -32_600 } });
    }
  });

  it("takes POST alone, and no large body", async () => {
    const shop = await serveShop();
    onTestFinished(() => shop.close());
    const post = async (url: string, body: string) => (await fetch(url, { method: "POST", body })).status;
    expect((await fetch(shop.url)).status).toBe(405);
    expect(await post(`${shop.origin}/`, "{}")).toBe(404);
    expect(await post(shop.url, " ".repeat(70_000))).toBe(413);
    expect(await post(shop.url, '{"jsonrpc":"2.0","method":"notifications/initialized"}')).toBe(202);
  });
});
