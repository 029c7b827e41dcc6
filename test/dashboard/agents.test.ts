import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { createTestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's agents", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  async function createAgent(handle: string): Promise<{ id: string; token: string }> {
    const { status, body } = await world.agent.post("/api/v1/agent_tokens", {
      agent: { handle, kind: "software" },
    });
    expect(status).toBe(201);
    return { id: body.agent_id, token: body.token };
  }

  it("shows when an agent comes online", async () => {
    const { page } = await world.enter();
    await page.goto(`${world.network.url}/agents`);
    await world.waitUntilLive(page);
    const { token } = await createAgent("sorter");
    const row = page.getByRole("row").filter({ hasText: "sorter" });
    await row.getByText("offline", { exact: true }).waitFor();
    const heartbeat = await createTestClient(world.server.url, token).post(
      "/api/v1/agents/self/heartbeat",
      {},
    );
    expect(heartbeat.status).toBe(200);
    await row.getByText("online", { exact: true }).waitFor();
    await page.context().close();
  });

  it("filters the list by its URL", async () => {
    await createAgent("needle");
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/agents?q=needl`);
    await page.getByText("1 agent", { exact: true }).waitFor();
    await page.getByLabel("Presence").selectOption("ONLINE");
    await page.getByText("No agent matches these filters").waitFor();
    expect(new URL(page.url()).search).toBe("?q=needl&presence=ONLINE");
    await page.context().close();
  });

  it("pauses an agent after explaining the effect, and resumes it", async () => {
    const { id } = await createAgent("packer");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/agents/${id}`);
    await world.waitUntilLive(page);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("receives the command to pause when it reconnects").waitFor();
    await dialog.getByLabel("Reason").fill("Too many misses");
    await dialog.getByRole("button", { name: "Pause agent" }).click();
    await page.getByRole("status").getByText("The agent has been paused.").waitFor();
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    const { body } = await world.agent.get(`/api/v1/agents/${id}`);
    expect(body.agent.control_state).toBe("paused");
    await page.getByRole("link", { name: "Commands", exact: true }).last().click();
    await page.getByRole("link", { name: "agent.pause" }).waitFor();
    await page.context().close();
  });

  it("changes an agent's labels for an admin", async () => {
    const { id } = await createAgent("labeler");
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/agents/${id}`);
    await world.waitUntilLive(page);
    await page.getByRole("button", { name: "Change labels" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Labels").fill("no label");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator('[aria-invalid="true"][name="labels"]').waitFor();
    await dialog.getByLabel("Labels").fill("team=billing, site=hall-a");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("team=billing", { exact: true }).waitFor();
    await page.context().close();
  });

  it("changes what is stored of an agent's traces for an admin", async () => {
    const { id } = await createAgent("discreet");
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/agents/${id}`);
    await world.waitUntilLive(page);
    await page.getByRole("button", { name: "Change what is stored" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Prompts, answers and arguments").selectOption("OFF");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Not stored", { exact: true }).waitFor();
    await page.context().close();
  });

  it("offers a viewer no action", async () => {
    const { id } = await createAgent("watched");
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/agents/${id}`);
    await page.getByRole("heading", { level: 1, name: "watched" }).waitFor();
    expect(await page.getByRole("button", { name: /Pause|Stop/ }).count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (size, options) => {
    const { id } = await createAgent(`seen-${size.replaceAll(" ", "-")}`);
    const { page } = await world.enter("owner", options);
    await page.goto(`${world.network.url}/agents`);
    await page.getByRole("link", { name: `seen-${size.replaceAll(" ", "-")}` }).waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/agents/${id}`);
    await page.getByText("No tasks yet").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Stop", exact: true }).last().click();
    await page.getByRole("dialog").getByLabel("Reason").waitFor();
    await expectAccessible(page);
    await page.context().close();
  });
});
