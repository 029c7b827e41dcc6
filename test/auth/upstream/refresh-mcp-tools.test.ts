import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { refreshMcpTools } from "../../../src/auth/upstream/refresh-mcp-tools.ts";
import { setMcpCredential } from "../../../src/auth/upstream/set-mcp-credential.ts";
import type { McpServer } from "../../../src/db/generated/client.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { createMcpServer } from "../../../src/domain/mcp/create-mcp-server.ts";
import { listMcpTools } from "../../../src/domain/mcp/list-mcp-tools.ts";
import { storeMcpTools } from "../../../src/domain/mcp/store-mcp-tools.ts";
import { createSealedBox } from "../../../src/auth/secrets/sealed-box.ts";
import { getErrorCode } from "../../support/callers.ts";
import { countLoopTurns, keepBusy } from "../../support/loop-turns.ts";
import { REFUND, startMcpUpstream } from "../../support/mcp-upstream.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { startUpstreamServer } from "../../support/upstream-server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
  server = await startTestServer({ SECRETS_KEY, OUTBOUND_ALLOW: "127.0.0.0/8" });
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

async function register(url: string): Promise<McpServer> {
  return createMcpServer(ctx, { slug: "shop", name: "Shop", url });
}

async function refresh(url: string): Promise<McpServer> {
  return refreshMcpTools(ctx, { id: (await register(url)).id });
}

/** A server that answers every request with this. */
async function serveText(text: string, status = 200, type = "application/json"): Promise<string> {
  const upstream = await startUpstreamServer((_request, response) => {
    response.writeHead(status, { "content-type": type, location: "http://127.0.0.1/" }).end(text);
  });
  onTestFinished(() => upstream.close());
  return upstream.url;
}

/** An answer that lists these tools, as JSON text. */
function listText(tools: string, cursor: string | null = null): string {
  return `{"jsonrpc":"2.0","id":1,"result":{"tools":[${tools}],"nextCursor":${JSON.stringify(cursor)}}}`;
}

describe("refreshMcpTools", () => {
  it.each([
    ["modern", "2026-07-28"],
    ["legacy", "2025-11-25"],
  ] as const)("stores the tools of a %s server for review", async (era, version) => {
    const upstream = await startMcpUpstream({ era, tools: [REFUND, { ...REFUND, name: "pay" }] });
    const read = await refresh(upstream.url);
    expect(read).toMatchObject({ health: "ok", lastError: null, protocolVersion: version });
    const { nodes } = await listMcpTools(ctx, {}, { serverId: read.id, status: "pending" });
    expect(nodes.map(({ name }) => name).toSorted()).toEqual(["pay", "refund"]);
    expect(await readEventTypes(server, read.id)).toEqual([
      "mcp_server.created",
      "mcp_server.health_changed",
    ]);
    const [listed] = upstream.list("tools/list").slice(-1);
    const session = era === "legacy" ? "upstream-session" : undefined;
    expect(listed?.headers).toMatchObject({ "mcp-protocol-version": version });
    expect(listed?.headers["mcp-session-id"]).toBe(session);
  });

  it("reads all pages, and answers that are event streams", async () => {
    const upstream = await startUpstreamServer((request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => {
        const { id, params } = JSON.parse(text) as { id: number; params: { cursor?: string } };
        const name = params.cursor ?? "first";
        const result = { tools: [{ ...REFUND, name }], ...(name === "first" && { nextCursor: "second" }) };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n');
        response.end(
          `: sign\r\ndata: {"jsonrpc":"2.0","id":${id},\r\ndata:"result":${JSON.stringify(result)}}\r\n\r\n`,
        );
      });
    });
    onTestFinished(() => upstream.close());
    const { id, health } = await refresh(upstream.url);
    const { nodes } = await listMcpTools(ctx, {}, { serverId: id });
    expect([health, nodes.map(({ name }) => name).toSorted()]).toEqual(["ok", ["first", "second"]]);
  });

  const MANY = Array.from({ length: 501 }, (_tool, index) => ({ ...REFUND, name: `t${index}` }));
  const answer = (result: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, result });
  it.each([
    ["no JSON", "<html>", 200, "does not answer|no message"],
    ["nothing", "", 204, "does not answer"],
    ["no tools", answer({}), 200, "does not answer"],
    ["a tool without a name", answer({ tools: [{ inputSchema: {} }] }), 200, "tool 1 whose name"],
    ["a tool of much text", answer({ tools: [{ ...REFUND, x: "x".repeat(70_000) }] }), 200, "tool 1 whose"],
    ["one name twice", answer({ tools: [REFUND, REFUND] }), 200, "same name"],
    ["too many tools", answer({ tools: MANY }), 200, "more than 500"],
    ["endless pages", answer({ tools: [], nextCursor: "x" }), 200, "too many pages"],
    ["5 MB", answer({ tools: [], x: "x".repeat(5_000_000) }), 200, "more than"],
    ["a redirect", "", 307, "redirects"],
    ["an error", "", 500, "does not answer"],
  ])(
    "says why a server that answers with %s is down, and stores nothing",
    async (...[, text, status, problem]) => {
      const read = await refresh(await serveText(text, status));
      expect(read).toMatchObject({ health: "down", lastError: expect.stringMatching(problem) });
      expect((await listMcpTools(ctx, {})).total).toBe(0);
    },
  );

  it.each([
    ["more tools than a call has arguments", listText("1,".repeat(200_000) + "1"), "500 tools"],
    ["more values than a body may have", listText("1,".repeat(1_000_000) + "1"), "250000 elements"],
    ["more objects than a body may have", listText("{},".repeat(60_000) + "{}"), "50000 lists and objects"],
    ["deeper JSON than a body may have", listText("[".repeat(200) + "]".repeat(200)), "128 levels"],
    [
      "pages that are too large together",
      listText(`{"name":"a","inputSchema":{},"x":"${"x".repeat(1_500_000)}"}`, "next"),
      "4194304 bytes",
    ],
  ])("says that a server lists %s", async (_what, text, problem) => {
    const read = await refresh(await serveText(text));
    expect(read).toMatchObject({ health: "down", lastError: expect.stringContaining(problem) });
  });

  it("waits half a minute for all pages of a server together", async () => {
    const clock = vi.spyOn(performance, "now");
    onTestFinished(() => clock.mockRestore());
    const startMs = performance.now();
    let pages = 0;
    const upstream = await startUpstreamServer((_request, response) => {
      clock.mockReturnValue(startMs + ++pages * 9000);
      if (pages > 4) return;
      response.writeHead(200, { "content-type": "application/json" }).end(listText("", "next"));
    });
    onTestFinished(() => upstream.close());
    const read = await refresh(upstream.url);
    expect(read).toMatchObject({ health: "down", lastError: "The request took too long." });
  });

  it("hashes tools in turns of the event loop", async () => {
    const { id: serverId } = await register("http://127.0.0.1:1");
    const turns = countLoopTurns();
    const hashed = new Map<string, number>();
    const tools = Array.from({ length: 20 }, (_, at) => {
      const name = `t${at}`;
      return {
        name,
        get description() {
          if (!hashed.has(name)) keepBusy(2);
          hashed.set(name, hashed.get(name) ?? turns.current());
          return "Slow to read.";
        },
      };
    });
    await storeMcpTools(ctx, { serverId, protocolVersion: "2026-07-28", tools });
    turns.stop();
    expect(new Set(hashed.values()).size).toBeGreaterThan(3);
  });

  it("asks a limited number of servers at once, but those of every workspace", async () => {
    let asked = 0;
    const slow = await startUpstreamServer(() => void asked++);
    onTestFinished(() => slow.close());
    const { id } = await register(slow.url);
    const refreshes = Array.from({ length: 20 }, () => getErrorCode(refreshMcpTools(ctx, { id })));
    expect(await Promise.race(refreshes)).toBe("rate_limited");
    await expect.poll(() => asked).toBe(8);
    ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
    const upstream = await startMcpUpstream({ era: "modern", tools: [REFUND] });
    expect(await refresh(upstream.url)).toMatchObject({ health: "ok" });
    await slow.close();
    const codes = await Promise.all(refreshes);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(12);
  });

  it("says which rule keeps it from an inner address", async () => {
    expect(await refresh("http://169.254.169.254/latest/")).toMatchObject({
      health: "down",
      lastError: "169.254.169.254 is a link-local address. OUTBOUND_ALLOW of the server does not list it.",
    });
  });

  it.each([401, 403])("says that the server refuses our credential, for %i", async (status) => {
    expect(await refresh(await serveText("", status))).toMatchObject({ health: "credential_refused" });
  });

  it("is for admins, of their own workspace", async () => {
    const { id } = await register("https://mcp.example.com/");
    const operator = personCtx(
      server,
      { id: crypto.randomUUID(), workspaceId: ctx.workspaceId },
      { role: "operator" },
    );
    expect(await getErrorCode(refreshMcpTools(operator, { id }))).toBe("forbidden");
    const other = server.systemCtx((await server.createWorkspace()).workspaceId);
    expect(await getErrorCode(refreshMcpTools(other, { id }))).toBe("not_found");
  });
});

describe("setMcpCredential", () => {
  const SECRET = "hunter2-hunter2-hunter2";

  it.each([
    [null, "authorization", `Bearer ${SECRET}`],
    ["X-Api-Key", "x-api-key", SECRET],
  ])("makes requests carry the secret, in the header %s", async (header, name, value) => {
    const upstream = await startMcpUpstream();
    const { id } = await register(upstream.url);
    await setMcpCredential(ctx, { serverId: id, secret: SECRET, header });
    await refreshMcpTools(ctx, { id });
    expect(upstream.requests.map(({ headers }) => headers[name])).toEqual([value]);
    await setMcpCredential(ctx, { serverId: id, secret: null });
    await refreshMcpTools(ctx, { id });
    expect(upstream.requests.at(-1)?.headers[name]).toBeUndefined();
  });

  it("stores it sealed: it is in no row, event, audit event or log", async () => {
    const { id } = await register("https://mcp.example.com/");
    await setMcpCredential(ctx, { serverId: id, secret: SECRET });
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      action: "mcp_server.credential_changed",
      changes: { kind: "bearer", header: null },
    });
    for (const table of ["mcp_server", "event", "audit_event"]) {
      const rows = await server.database.query(
        `SELECT t::text AS row FROM ${table} t WHERE workspace_id = $1`,
        [ctx.workspaceId],
      );
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain("hunter2");
      expect(JSON.stringify(rows)).not.toContain(Buffer.from("hunter2").toString("hex"));
    }
    expect(server.logged.join("")).not.toContain("hunter2");
  });

  it("opens for its own row only, and with the key only: else nothing is sent", async () => {
    const upstream = await startMcpUpstream();
    const { id } = await register(upstream.url);
    await setMcpCredential(ctx, { serverId: id, secret: SECRET });
    const otherKey = { ...server.services, sealedBox: createSealedBox([Buffer.alloc(32, 8)]) };
    const without = openCtx(otherKey, { ...ctx });
    expect(await refreshMcpTools(without, { id })).toMatchObject({ health: "credential_unreadable" });
    const copy = await createMcpServer(ctx, { slug: "copy", name: "Copy", url: upstream.url });
    await server.database.query(
      `UPDATE mcp_server c SET credential_kind = s.credential_kind, sealed_credential = s.sealed_credential
       FROM mcp_server s WHERE c.id = $1 AND s.id = $2`,
      [copy.id, id],
    );
    expect(await refreshMcpTools(ctx, { id: copy.id })).toMatchObject({ health: "credential_unreadable" });
    expect(upstream.requests).toEqual([]);
  });

  it("is refused where there is no key to seal it", async () => {
    const { id } = await register("https://mcp.example.com/");
    const withoutKey = { ...server.services, sealedBox: null };
    const without = openCtx(withoutKey, { ...ctx });
    await expect(setMcpCredential(without, { serverId: id, secret: SECRET })).rejects.toThrow("SECRETS_KEY");
  });

  it.each([
    { secret: "" },
    { secret: "a\r\nb" },
    { secret: " a" },
    { secret: "ü" },
    { secret: "x".repeat(4097) },
    ...["Host", "content-length", "Authorization", "mcp-session-id", "cookie", "a b", "", "x:"].map(
      (header) => ({
        secret: "x",
        header,
      }),
    ),
  ])("rejects %j", async (fields) => {
    const { id } = await register("https://mcp.example.com/");
    expect(await getErrorCode(setMcpCredential(ctx, { serverId: id, ...fields }))).toBe("validation_failed");
  });
});
