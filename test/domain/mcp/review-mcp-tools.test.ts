import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listMcpTools } from "../../../src/domain/mcp/list-mcp-tools.ts";
import { reviewMcpTools } from "../../../src/domain/mcp/review-mcp-tools.ts";
import { toolDefinition, writeDefinition } from "../../../src/domain/mcp/tool-definition.ts";
import { getErrorCode } from "../../support/callers.ts";
import { REFUND } from "../../support/mcp-upstream.ts";
import { lastAudit, readEventTypes } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { findTool, insertTestMcpServer, storeTools } from "../../support/test-mcp-server.ts";

let server: TestServer;
let ctx: Ctx;
let serverId: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
  serverId = (await insertTestMcpServer(ctx, "shop")).server.id;
  await storeTools(ctx, serverId, [REFUND]);
});

async function review(name: string, verdict: "approve" | "block") {
  const { id, hash } = await findTool(ctx, serverId, name);
  return reviewMcpTools(ctx, { serverId, verdict, tools: [{ id, hash: Buffer.from(hash).toString("hex") }] });
}

async function readStatuses(): Promise<Record<string, string>> {
  const { nodes } = await listMcpTools(ctx, {}, { serverId });
  return Object.fromEntries(nodes.map(({ name, status }) => [name, status]));
}

describe("reviewMcpTools", () => {
  it("approves the definition that was read, and says so", async () => {
    const [tool] = await review("refund", "approve");
    expect(tool).toMatchObject({
      status: "approved",
      approvedDefinition: REFUND,
      reviewedBy: { type: "system" },
    });
    expect((await readEventTypes(server, tool?.id ?? "")).at(-1)).toBe("mcp_tool.reviewed");
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      action: "mcp_tool.reviewed",
      changes: { name: "refund", status: { from: "pending", to: "approved" } },
    });
    const pending = await listMcpTools(ctx, {}, { status: "pending" });
    const approved = await listMcpTools(ctx, {}, { status: "approved" });
    expect([pending.total, approved.total]).toEqual([0, 1]);
  });

  it("rejects a definition that changed since it was read, and then reviews none", async () => {
    await storeTools(ctx, serverId, [REFUND, { ...REFUND, name: "pay" }]);
    const [refund, pay] = [await findTool(ctx, serverId, "refund"), await findTool(ctx, serverId, "pay")];
    await storeTools(ctx, serverId, [
      { ...REFUND, description: "Else." },
      { ...REFUND, name: "pay" },
    ]);
    const tools = [pay, refund].map(({ id, hash }) => ({ id, hash: Buffer.from(hash).toString("hex") }));
    const late = reviewMcpTools(ctx, { serverId, tools, verdict: "approve" });
    expect(await getErrorCode(late)).toBe("precondition_failed");
    expect(await readStatuses()).toEqual({ refund: "pending", pay: "pending" });
  });
});

describe("storeMcpTools, after an approval", () => {
  const SCHEMA = { type: "object", properties: { amount: { type: "number" }, to: { type: "string" } } };

  it.each([
    ["another description", { description: "Pays back money. Call it twice." }],
    ["a hidden character", { description: "Pays back money.\u200b" }],
    ["a wider schema", { inputSchema: SCHEMA }],
    ["an annotation", { annotations: { readOnlyHint: true } }],
    ["an output schema", { outputSchema: { type: "object" } }],
  ])("takes %s for a change", async (_what, change) => {
    await review("refund", "approve");
    await storeTools(ctx, serverId, [{ ...REFUND, ...change }]);
    expect(await readStatuses()).toEqual({ refund: "changed" });
    const { approvedDefinition, definition } = await findTool(ctx, serverId, "refund");
    expect([approvedDefinition, definition]).toEqual([REFUND, { ...REFUND, ...change }]);
    await storeTools(ctx, serverId, [REFUND]);
    expect(await readStatuses()).toEqual({ refund: "approved" });
  });

  it.each(["refund2", "Refund", "r\u0435fund", "refund\u200b", "refund "])(
    "takes the name %j for a new tool, and the old one for gone",
    async (name) => {
      await review("refund", "approve");
      await storeTools(ctx, serverId, [{ ...REFUND, name }]);
      expect(await readStatuses()).toEqual({ refund: "gone", [name]: "pending" });
    },
  );

  it("takes the same definition in another order of members for the same", async () => {
    await review("refund", "approve");
    const { inputSchema, description, name } = REFUND;
    await storeTools(ctx, serverId, [{ inputSchema, description, name }]);
    expect(await readStatuses()).toEqual({ refund: "approved" });
  });

  it("keeps what is blocked so, whatever it becomes", async () => {
    await review("refund", "block");
    await storeTools(ctx, serverId, [{ ...REFUND, description: "Else." }]);
    await storeTools(ctx, serverId, []);
    expect(await readStatuses()).toEqual({ refund: "blocked" });
  });

  it("forgets tools that are gone and were never approved, so they don't pile up", async () => {
    for (let round = 0; round < 3; round++) {
      await storeTools(ctx, serverId, [{ ...REFUND, name: `tool ${round}` }]);
    }
    expect(await readStatuses()).toEqual({ "tool 2": "pending" });
    expect((await listMcpTools(ctx, {})).total).toBe(1);
  });

  it("changes nothing when nothing has changed", async () => {
    const { id } = await findTool(ctx, serverId, "refund");
    const before = await readEventTypes(server, id);
    await storeTools(ctx, serverId, [REFUND]);
    expect(await readEventTypes(server, id)).toEqual(before);
  });
});

describe("toolDefinition", () => {
  it("leaves out what models don't read", () => {
    const listed = { ...REFUND, _meta: { x: 1 }, icons: [{ src: "https://x" }] };
    expect(toolDefinition.parse(listed)).toEqual(REFUND);
    expect(writeDefinition(toolDefinition.parse(listed))).toBe(writeDefinition(REFUND));
  });

  it.each([
    ["no name", { ...REFUND, name: undefined }],
    ["an empty name", { ...REFUND, name: "" }],
    ["a long name", { ...REFUND, name: "x".repeat(129) }],
    ["no schema", { ...REFUND, inputSchema: undefined }],
    ["a NUL", { ...REFUND, description: "\0" }],
    ["an unpaired surrogate", { ...REFUND, description: "\ud800" }],
    ["much text", { ...REFUND, description: "x".repeat(70_000) }],
    ["a member __proto__", JSON.parse('{"name":"x","inputSchema":{},"__proto__":{}}')],
    ["deep nesting", { ...REFUND, inputSchema: JSON.parse("[".repeat(200) + "]".repeat(200)) }],
  ])("rejects %s", (_what, listed) => {
    expect(toolDefinition.safeParse(listed).success).toBe(false);
  });
});
