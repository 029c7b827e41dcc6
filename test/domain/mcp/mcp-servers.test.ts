import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { countMcpTools } from "../../../src/domain/mcp/count-mcp-tools.ts";
import { createMcpServer } from "../../../src/domain/mcp/create-mcp-server.ts";
import { reviewMcpTools } from "../../../src/domain/mcp/review-mcp-tools.ts";
import { deleteMcpServer } from "../../../src/domain/mcp/delete-mcp-server.ts";
import { listMcpServers } from "../../../src/domain/mcp/list-mcp-servers.ts";
import { listMcpTools } from "../../../src/domain/mcp/list-mcp-tools.ts";
import { updateMcpServer } from "../../../src/domain/mcp/update-mcp-server.ts";
import { setMcpCredential } from "../../../src/auth/upstream/set-mcp-credential.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { NEW_MCP_SERVER } from "../../support/mcp-server-calls.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { REFUND } from "../../support/mcp-upstream.ts";
import { findTool, insertTestMcpServer, storeTools } from "../../support/test-mcp-server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer({ SECRETS_KEY: Buffer.alloc(32, 7).toString("base64") });
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

describe("createMcpServer", () => {
  it("registers a server, of whose tools none can be called yet, and says so", async () => {
    const made = await createMcpServer(ctx, NEW_MCP_SERVER);
    expect(made).toMatchObject({
      ...NEW_MCP_SERVER,
      ...{ enabled: true, holdSeconds: 50, credentialKind: "none", health: "unknown", generation: 1 },
    });
    expect(await readEventTypes(server, made.id)).toEqual(["mcp_server.created"]);
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      action: "mcp_server.created",
      changes: { slug: "shop", url: NEW_MCP_SERVER.url },
    });
    expect(await listMcpServers(ctx, {})).toMatchObject({ total: 1, nodes: [{ slug: "shop" }] });
    expect(await listMcpTools(ctx, {})).toMatchObject({ total: 0, nodes: [] });
  });

  it.each([
    [{ slug: "Shop" }, "slug"],
    [{ slug: "a.b" }, "slug"],
    [{ slug: "" }, "slug"],
    [{ slug: "a".repeat(41) }, "slug"],
    [{ url: "shop.example.com" }, "url"],
    [{ url: "file:///etc/passwd" }, "url"],
    [{ url: "https://me:secret@mcp.example.com/" }, "url"],
    [{ url: "https://mcp.example.com/#x" }, "url"],
    [{ url: `https://mcp.example.com/${"a".repeat(2000)}` }, "url"],
    [{ name: "" }, "name"],
    [{ holdSeconds: 591 }, "holdSeconds"],
    [{ holdSeconds: -1 }, "holdSeconds"],
  ])("rejects %j", async (fields, field) => {
    const details = await getErrorDetails(createMcpServer(ctx, { ...NEW_MCP_SERVER, ...fields }));
    expect(details).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ field })]) });
  });

  it("rejects a name that is taken, and more than a workspace may have", async () => {
    await createMcpServer(ctx, NEW_MCP_SERVER);
    expect(await getErrorCode(createMcpServer(ctx, NEW_MCP_SERVER))).toBe("already_exists");
    await server.database.query(
      `INSERT INTO mcp_server (workspace_id, id, slug, name, url, hold_seconds, created_by, updated_by, tools_due_at)
       SELECT $1, gen_random_uuid(), 's' || n, 'x', 'https://x', 0, '{}', '{}', 'infinity' FROM generate_series(2, $2) n`,
      [ctx.workspaceId, LIMITS.mcpServers],
    );
    expect(await getErrorCode(createMcpServer(ctx, { ...NEW_MCP_SERVER, slug: "more" }))).toBe(
      "validation_failed",
    );
  });

  it("is for admins who entered their password recently", async () => {
    const id = crypto.randomUUID();
    const as = (role: "admin" | "operator", isSudo: boolean) =>
      createMcpServer(
        personCtx(server, { id, workspaceId: ctx.workspaceId }, { role, isSudo }),
        NEW_MCP_SERVER,
      );
    expect(await getErrorCode(as("operator", true))).toBe("forbidden");
    expect(await getErrorCode(as("admin", false))).toBe("sudo_required");
    const agent = agentCtx(server, { id: await insertTestAgent(ctx), workspaceId: ctx.workspaceId });
    expect(await getErrorCode(createMcpServer(agent, NEW_MCP_SERVER))).toBe("forbidden");
  });
});

describe("updateMcpServer", () => {
  it("changes what is given, and nothing for the same values", async () => {
    const { id } = await createMcpServer(ctx, NEW_MCP_SERVER);
    const changed = await updateMcpServer(ctx, { id, enabled: false, holdSeconds: 0 });
    expect(changed).toMatchObject({ enabled: false, holdSeconds: 0, name: "Shop", generation: 2 });
    expect(await updateMcpServer(ctx, { id, enabled: false })).toMatchObject({ generation: 2 });
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      action: "mcp_server.updated",
      changes: { enabled: { from: true, to: false }, hold_seconds: { from: 50, to: 0 } },
    });
    const late = updateMcpServer(ctx, { id, name: "x", ifGeneration: 1 });
    expect(await getErrorCode(late)).toBe("precondition_failed");
  });

  it("keeps the credential for the same origin only, so nobody can send it elsewhere", async () => {
    const { id } = await createMcpServer(ctx, NEW_MCP_SERVER);
    await setMcpCredential(ctx, { serverId: id, secret: "hunter2" });
    const moved = await updateMcpServer(ctx, { id, url: "https://mcp.example.com/other" });
    expect(moved).toMatchObject({ credentialKind: "bearer" });
    const away = await updateMcpServer(ctx, { id, url: "https://mcp.example.com:8443/other" });
    expect(away).toMatchObject({ credentialKind: "none", sealedCredential: null });
  });
});

describe("deleteMcpServer", () => {
  it("deletes a server with its tools, and counts neither any more", async () => {
    const { server: made } = await insertTestMcpServer(ctx, "shop");
    await deleteMcpServer(ctx, { id: made.id });
    expect(await listMcpServers(ctx, {})).toMatchObject({ total: 0, nodes: [] });
    expect(await listMcpTools(ctx, {})).toMatchObject({ total: 0, nodes: [] });
    expect((await readEventTypes(server, made.id)).at(-1)).toBe("mcp_server.deleted");
    expect(await getErrorCode(deleteMcpServer(ctx, { id: made.id }))).toBe("not_found");
  });
});

describe("countMcpTools", () => {
  it("counts the tools of each status, of the workspace's own servers", async () => {
    const { server: shop } = await insertTestMcpServer(ctx, "shop");
    const { id: emptyId } = await createMcpServer(ctx, { ...NEW_MCP_SERVER, slug: "empty" });
    await storeTools(ctx, shop.id, [REFUND, { ...REFUND, name: "pay" }, { ...REFUND, name: "read" }]);
    const { id, hash } = await findTool(ctx, shop.id, "pay");
    const tools = [{ id, hash: Buffer.from(hash).toString("hex") }];
    await reviewMcpTools(ctx, { serverId: shop.id, tools, verdict: "approve" });
    const other = server.systemCtx((await server.createWorkspace()).workspaceId);
    const { server: foreign } = await insertTestMcpServer(other, "foreign");
    const counts = await countMcpTools(ctx, [shop.id, emptyId, foreign.id]);
    expect([...counts]).toEqual([[shop.id, { pending: 2, approved: 1, changed: 0, blocked: 0, gone: 0 }]]);
    const agentId = await insertTestAgent(ctx);
    const agent = agentCtx(server, { id: agentId, workspaceId: ctx.workspaceId }, { scopes: ["mcp:use"] });
    expect(await getErrorCode(countMcpTools(agent, [shop.id]))).toBe("insufficient_scope");
  });
});
