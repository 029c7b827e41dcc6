import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createMcpServer } from "../../src/domain/mcp/create-mcp-server.ts";
import { endMcpCall } from "../../src/domain/mcp/end-mcp-call.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { insertTestAgent } from "../support/factories.ts";
import { REFUND, startMcpUpstream } from "../support/mcp-upstream.ts";
import { insertTestMcpCall } from "../support/test-mcp-calls.ts";
import { findTool, storeTools } from "../support/test-mcp-server.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import {
  CHANGED_SEARCH,
  SEARCH,
  approve,
  clearMcpServers,
  confirmPassword,
  register,
  registerChanged,
} from "./support/mcp-scene.ts";

const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");

describe.skipIf(LACKS_BROWSER)("the dashboard's MCP servers", { timeout: 90_000 }, () => {
  let world: DashboardWorld;
  let ctx: Ctx;

  beforeAll(async () => {
    world = await openDashboardWorld({ OUTBOUND_ALLOW: "127.0.0.0/8", SECRETS_KEY });
    ({ ctx } = world);
  });

  afterAll(() => world.close());

  beforeEach(async () => {
    await clearMcpServers(world);
  });

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("lists servers live, with what waits for review, and says so in the navigation and at the start", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/mcp-servers`);
    await page.getByText("No MCP servers yet").waitFor();
    expect(await page.getByRole("main").getByRole("link").count()).toBe(0);
    await world.waitUntilLive(page);
    const id = await register(ctx, [SEARCH, { ...SEARCH, name: "read" }]);
    const row = page.getByRole("row").filter({ hasText: "Web shop" });
    await row.getByText("mcp.example.com").waitFor();
    await row.getByText("0 approved").waitFor();
    await row.getByText("2 to review").waitFor();
    await approve(ctx, id, "search");
    await row.getByText("1 approved").waitFor();
    await storeTools(ctx, id, [CHANGED_SEARCH, { ...SEARCH, name: "read" }]);
    const banner = page.getByRole("region", { name: "Waiting for review" });
    await banner.getByText("1 changed tool, 1 new tool").waitFor();
    await page.getByRole("link", { name: "MCP servers 2 waiting for review" }).waitFor();
    await page.getByRole("link", { name: "Now" }).click();
    const now = page.getByRole("region", { name: "Tools waiting for review" });
    await now.getByText("1 changed tool, 1 new tool").waitFor();
    await now.getByRole("link", { name: "Web shop" }).click();
    await page.getByRole("heading", { level: 1, name: "Web shop" }).waitFor();
    await page.getByText("Nobody can call them until an admin").waitFor();
    expect(await page.getByRole("link", { name: /^Review/ }).count()).toBe(0);
    await page.goto(`${world.network.url}/mcp-servers/${id}/review`);
    await page.getByText("You need the admin role to review tools.").waitFor();
    await page.goto(`${world.network.url}/mcp-servers/new`);
    await page.getByText("You need the admin role to register servers.").waitFor();
    await page.goto(`${world.network.url}/mcp-servers/${id}/settings`);
    await page.getByRole("heading", { name: "Connection" }).waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await page.context().close();
  });

  it("shows a server's calls live, with filters, and leads to what people can resolve", async () => {
    const serverId = await register(ctx);
    const agentId = await insertTestAgent(ctx);
    async function call(fields: Parameters<typeof insertTestMcpCall>[1]): Promise<string> {
      return insertTestMcpCall(ctx, { serverId, ...fields });
    }
    await call({ agentId, durationMs: 120, answerBytes: 2048, isError: true });
    await call({ agentId, tool: "search", approvalId: crypto.randomUUID() });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/mcp-servers/${serverId}`);
    const tool = page.getByRole("row").filter({ has: page.getByRole("link", { name: "search" }) });
    await tool.getByRole("cell", { name: "1", exact: true }).waitFor();
    await tool.getByRole("cell", { name: "0", exact: true }).waitFor();
    await page.goto(`${world.network.url}/mcp-servers`);
    const row = page.getByRole("row").filter({ hasText: "Web shop" });
    await row.getByText("120 ms").waitFor();
    await row.getByRole("link", { name: "2", exact: true }).click();
    const rows = page.getByRole("row");
    await rows.filter({ hasText: /refund.*answered an error.*An agent.*Decision.*120 ms.*2KB/ }).waitFor();
    await rows.filter({ hasText: /search.*An agent.*Decision.*Approval/ }).waitFor();
    await world.waitUntilLive(page);
    const unknown = await call({ agentId, tool: "delete", traceId: "1".repeat(32) });
    const error = { code: "connection_lost", message: "The connection ended." };
    await endMcpCall(ctx, unknown, { status: "unknown", error, effect: "unknown" });
    await rows.filter({ hasText: /delete.*outcome unknown.*Trace/ }).waitFor();
    const note = page.getByRole("region", { name: "Outcome unknown" });
    await note.getByText("1 call may have happened").waitFor();
    await note.getByRole("link", { name: "Find out" }).click();
    await rows.filter({ hasText: /delete/ }).waitFor();
    await note.waitFor({ state: "detached" });
    await page.goBack();
    await page.getByLabel("Status").selectOption("Outcome unknown");
    await rows.filter({ hasText: "refund" }).waitFor({ state: "detached" });
    expect(page.url()).toContain("status=UNKNOWN");
    await page.getByRole("link", { name: "delete" }).click();
    await page.getByRole("button", { name: "Resolve" }).waitFor();
    await page.goto(`${world.network.url}/mcp-servers/${serverId}/calls?tool=other`);
    await page.getByRole("link", { name: "Show all calls" }).click();
    await rows.filter({ hasText: "refund" }).waitFor();
    await expectAccessible(page);
    await page.context().close();
  });

  it("registers a server, sets its credential and reads its tools", async () => {
    const upstream = await startMcpUpstream({ tools: [REFUND] });
    const { page, person } = await world.enter("admin");
    await page.goto(`${world.network.url}/mcp-servers`);
    await page.getByRole("main").getByRole("link", { name: "Register server" }).click();
    await page.getByLabel("Name in policies").fill("The Shop");
    await page.getByLabel("Name", { exact: true }).fill("Shop");
    await page.getByLabel("URL").fill(upstream.url);
    await page.getByLabel("Calls wait for people").fill("20");
    await world.endSudo(person);
    await page.getByRole("button", { name: "Register server" }).click();
    await confirmPassword(page, person.password);
    await page.locator('[name="slug"][aria-invalid="true"]').waitFor();
    await page.getByLabel("Name in policies").fill("shop");
    await page.getByRole("button", { name: "Register server" }).click();
    await page.getByText("Requests to it carry none.").waitFor();
    await page.getByRole("button", { name: "Set credential" }).click();
    await page.getByRole("dialog").getByLabel("Secret").fill("s3cret-of-the-shop");
    await page.getByRole("dialog").getByRole("button", { name: "Set credential" }).click();
    await page.getByText(/Requests carry a bearer token, set .* Nobody can see it again\./).waitFor();
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByText("It answers. Its tools have been read.").waitFor();
    expect(upstream.list("tools/list").at(-1)?.headers.authorization).toBe("Bearer s3cret-of-the-shop");
    expect(await page.content()).not.toContain("s3cret");
    await page.getByRole("link", { name: "Tools" }).click();
    await page.getByRole("row").getByRole("link", { name: "refund" }).waitFor();
    await page.context().close();
  });

  it("says which rule refused an address", async () => {
    const url = "http://169.254.169.254/latest";
    const { id } = await createMcpServer(ctx, { slug: "metadata", name: "Metadata", url });
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/mcp-servers/${id}`);
    await page.getByRole("link", { name: "Test the connection" }).click();
    await page.getByRole("button", { name: "Test connection" }).click();
    await page
      .getByText("169.254.169.254 is a link-local address. OUTBOUND_ALLOW of the server does not list it.")
      .waitFor();
    await page.getByRole("region", { name: "Connection" }).getByText("down").waitFor();
    expect(await ctx.db.mcpServer.findFirstOrThrow({ where: { id } })).toMatchObject({ health: "down" });
    await page.context().close();
  });

  it("edits, disables and deletes a server, but not over somebody else's change", async () => {
    const id = await register(ctx);
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/mcp-servers/${id}/settings`);
    await world.waitUntilLive(page);
    await page.getByLabel("Calls wait for people").fill("soon");
    await page.getByText("Enter a whole number of seconds.").waitFor();
    await page.getByLabel("Calls wait for people").fill("5");
    await page.getByLabel("Enabled").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("No: nobody can call its tools").waitFor();
    await page.getByRole("button", { name: "Set credential" }).click();
    await page.getByRole("dialog").getByLabel("Secret").fill("abc");
    await page.getByRole("dialog").getByLabel("Header").fill("X-Api-Key");
    await page.getByRole("dialog").getByRole("button", { name: "Set credential" }).click();
    await page.getByText("x-api-key").waitFor();
    await page.getByText(/changed this MCP server while you were editing/).waitFor();
    await page.getByRole("button", { name: "Discard my changes and edit version 3" }).click();
    await page.getByRole("button", { name: "Remove credential" }).click();
    await page.getByText("Requests to it carry none.").waitFor();
    expect(await ctx.db.mcpServer.findFirstOrThrow({ where: { id } })).toMatchObject({
      ...{ holdSeconds: 5, enabled: false, credentialKind: "none", sealedCredential: null },
    });
    await page.getByRole("button", { name: "Delete MCP server" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete MCP server" }).click();
    await page.getByText("The MCP server Web shop has been deleted.").waitFor();
    await page.getByText("No MCP servers yet").waitFor();
    for (const path of [`/${id}`, `/${id}/settings`, `/${id}/review`, "/nothing"]) {
      await page.goto(`${world.network.url}/mcp-servers${path}`);
      await page.getByRole("heading", { level: 1, name: "This MCP server doesn’t exist" }).waitFor();
    }
    await page.context().close();
  });

  it("finds a server by its ID", async () => {
    const id = await register(ctx);
    const { page } = await world.enter("viewer");
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.getByRole("option", { name: /MCP server$/ }).click();
    await page.getByRole("heading", { level: 1, name: "Web shop" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/mcp-servers/${id}`);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (_size, options) => {
    const id = await registerChanged(ctx);
    await storeTools(ctx, id, [
      CHANGED_SEARCH,
      { ...SEARCH, name: "r\u0435fund_order_and_tell_the_customer" },
    ]);
    const { id: toolId } = await findTool(ctx, id, "search");
    const { page } = await world.enter("admin", options);
    for (const [path, text] of [
      ["", "1 changed tool, 1 new tool"],
      ["/new", "Name in policies"],
      [`/${id}`, "Tools to review"],
      [`/${id}/settings`, "Test connection"],
      [`/${id}/review`, "Approve these 2"],
      [`/${id}/tools/${toolId}`, "What differs from what was approved"],
    ]) {
      await page.goto(`${world.network.url}/mcp-servers${path}`);
      await page
        .getByText(text ?? "")
        .or(page.getByLabel(text ?? ""))
        .first()
        .waitFor();
      await expectAccessible(page);
    }
    await page.context().close();
  });
});
