import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { createTestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's page to connect an agent", { timeout: 90_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  async function open(page: Page): Promise<void> {
    await page.goto(`${world.network.url}/connect`);
    await page.getByRole("heading", { level: 1, name: "Connect an agent" }).waitFor();
  }

  function lines(page: Page, where: string): Promise<string> {
    return page.getByRole("region", { name: where, exact: true }).innerText();
  }

  async function mint(page: Page): Promise<string> {
    await page.getByRole("button", { name: "Create API key" }).click();
    return page.getByRole("textbox", { name: "API key" }).innerText();
  }

  it("names an agent, shows its key once with the lines to paste, and says when it has connected", async () => {
    const { page, person } = await world.enter("admin", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await open(page);
    expect(await lines(page, "Claude Code")).toContain("Bearer agk_…");
    await page.getByLabel("Name", { exact: true }).fill("Ada’s Laptop");
    expect(await page.getByLabel("Handle").inputValue()).toBe("ada-s-laptop");
    await page.getByLabel("Report evaluations").check();
    await page.getByLabel("Send traces").uncheck();
    await world.endSudo(person);
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByRole("dialog").getByLabel("Password").fill(person.password);
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    const secret = await page.getByRole("textbox", { name: "API key" }).innerText();
    expect(secret).toMatch(/^agk_/);
    expect(
      await world.ctx.db.apiKey.findFirstOrThrow({
        include: { agent: true },
        orderBy: { createdAt: "desc" },
      }),
    ).toMatchObject({
      name: "Ada’s Laptop",
      scopes: expect.toSatisfy(
        (scopes: string[]) => scopes.includes("eval_runs:write") && !scopes.includes("traces:write"),
      ),
      agent: { handle: "ada-s-laptop", name: "Ada’s Laptop", kind: "software" },
    });
    const url = world.network.url;
    expect(await lines(page, "Claude Code")).toBe(
      `claude mcp add --transport http ops ${url}/mcp --header "Authorization: Bearer ${secret}"`,
    );
    expect(JSON.parse(await lines(page, "VS Code (.vscode/mcp.json)"))).toEqual({
      servers: { ops: { type: "http", url: `${url}/mcp`, headers: { Authorization: `Bearer ${secret}` } } },
    });
    await page.getByRole("button", { name: "Copy the API key" }).click();
    await page.getByRole("button", { name: "Copied the API key" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await page.getByText("Waiting for its first request…").waitFor();
    const agent = createTestClient(world.server.url, secret);
    const answer = await agent.post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { accept: "application/json, text/event-stream" },
    );
    expect(answer.status).toBe(200);
    await page.getByText("Ada’s Laptop has connected.").waitFor();
    await page.getByRole("link", { name: "See the agent" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada’s Laptop" }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Create API key" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.context().close();
  });

  it("goes on with the agent if its key could not be created, and adds keys to agents that exist", async () => {
    const { page, person } = await world.enter("admin");
    await open(page);
    await page.getByLabel("Name", { exact: true }).fill("Second bot");
    await world.endSudo(person);
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByRole("dialog").getByLabel("Password").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
    await page.getByRole("alert").getByText("Enter your password again to do this.").waitFor();
    await page.getByLabel("Agent", { exact: true }).and(page.locator('[value="Second bot"]')).waitFor();
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByRole("dialog").getByLabel("Password").fill(person.password);
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { name: "The API key of Second bot" }).waitFor();
    expect(await world.ctx.db.agent.count({ where: { name: "Second bot" } })).toBe(1);
    await page.getByRole("button", { name: "Connect another agent" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Second bot");
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.locator('[name="handle"][aria-invalid="true"]').waitFor();
    await page.getByLabel("Connect", { exact: true }).selectOption("An agent that exists");
    await page.getByLabel("Agent", { exact: true }).fill("second");
    await page.getByRole("option", { name: /Second bot/ }).click();
    expect(await mint(page)).toMatch(/^agk_/);
    await page.context().close();
  });

  it.each(["viewer", "operator"] as const)("shows a %s the lines, but creates no key", async (role) => {
    const { page } = await world.enter(role);
    await open(page);
    await page.getByText("Ask an admin for an API key for your agent.").waitFor();
    expect(await page.getByRole("button", { name: "Create API key" }).count()).toBe(0);
    expect(JSON.parse(await lines(page, "Settings with hooks over HTTP"))).toMatchObject({
      hooks: { PreToolUse: [{ hooks: [{ url: `${world.network.url}/hooks/pre-tool-use?timeout=120` }] }] },
    });
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (size, options) => {
    const { page } = await world.enter("admin", options);
    await open(page);
    await expectAccessible(page);
    await page.getByLabel("Name", { exact: true }).fill(`Bot ${size}`);
    await mint(page);
    await expectAccessible(page);
    await page.context().close();
  });
});
