import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { postAsAgent } from "./support/work.ts";
import { insertTestAgent } from "../support/factories.ts";

describe.skipIf(LACKS_BROWSER)("the emergency stop's banner", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  it("shows who stopped, why and who has not confirmed, live, and updates lists and counters", async () => {
    await insertTestAgent(world.server.systemCtx(world.workspaceId), "robot");
    await postAsAgent(world.agent, "/agents/self/heartbeat", {});
    const { page } = await world.enter("admin");
    await world.waitUntilLive(page);
    await page.getByRole("button", { name: "Emergency stop" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Smoke in hall 2");
    await page.getByRole("button", { name: "Stop all agents now" }).click();
    const banner = page.getByRole("region", { name: "Emergency stop" });
    await banner.getByText("Emergency stop: 0 of 2 confirmed, 2 outstanding").waitFor();
    await banner.getByText(/^Somebody stopped all agents .*: Smoke in hall 2$/).waitFor();
    await banner.getByRole("link", { name: "Primary agent" }).waitFor();
    await banner.getByText("unreachable, never seen").waitFor();
    const { body } = await world.agent.get("/api/v1/agent_commands/next");
    const [command] = body.agent_commands;
    await postAsAgent(world.agent, `/agent_commands/${command.id}/ack`, { outcome: "accepted" });
    await banner.getByText("Emergency stop: 1 of 2 confirmed, 1 outstanding").waitFor();
    await banner.getByRole("link", { name: "Primary agent" }).waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Key numbers" }).getByText("0 paused, 2 stopped").waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/robots?control=STOPPED`);
    const robots = page.getByRole("table", { name: "robots" });
    await robots.getByText("stopped", { exact: true }).waitFor();
    await robots.getByText("unreachable", { exact: true }).waitFor();
    await page.goto(`${world.network.url}/agents?control=ACTIVE`);
    await page.getByRole("link", { name: "Show all agents" }).waitFor();
    await page.context().close();
    const phone = await world.enter("viewer", PHONE);
    await phone.page.getByText("Emergency stop: 1 of 2 confirmed, 1 outstanding").waitFor();
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    await expectAccessible(phone.page);
    await phone.page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });
});

describe.skipIf(LACKS_BROWSER)("stops of some agents", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  it("begin with a scope, resume in stages and end one by one, beside a stop of all", async () => {
    await postAsAgent(world.agent, "/agents/self/heartbeat", {});
    const { page } = await world.enter("admin");
    await world.waitUntilLive(page);
    const stop = async (fill: (dialog: Locator) => Promise<unknown>) => {
      await page.getByRole("button", { name: "Emergency stop" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Reason").fill("They drop parcels");
      await fill(dialog);
      await dialog.getByRole("button", { name: /^Stop .* now$/ }).click();
      return dialog;
    };
    const dialog = await stop((fields) => fields.getByLabel("Only those with labels").fill("hall"));
    await dialog.getByText("must be an object of strings", { exact: true }).waitFor();
    await dialog.getByLabel("Only those with labels").fill("hall=a");
    await dialog.getByRole("button", { name: "Stop these agents now" }).click();
    const banner = page.getByRole("region", { name: "Emergency stop of agents with hall=a" });
    await banner.getByText("it covers no agents").waitFor();
    await stop((fields) => fields.getByLabel("Agents").selectOption("Software agents only"));
    const software = page.getByRole("region", { name: "Emergency stop of software agents" });
    await software.getByText("0 of 1 confirmed, 1 outstanding").waitFor();
    await expectAccessible(page);
    await software.getByRole("button", { name: "Resume some…" }).click();
    const resume = page.getByRole("dialog");
    await resume.getByLabel("Percent").fill("100");
    await resume.getByLabel("Reason").fill("The first ones");
    await resume.getByRole("button", { name: "Resume them" }).click();
    await software.getByText(/^Somebody resumed 1 agent \(100 %\) .*: The first ones/).waitFor();
    await software.getByText("it covers no agents").waitFor();
    expect((await world.agent.post("/api/v1/tasks", { title: "x", queue: "q" })).status).toBe(201);
    expect((await world.agent.post("/api/v1/tasks/claim", { queues: ["q"] })).status).toBe(200);
    await expectAccessible(page);
    await banner.getByRole("button", { name: "Release…" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Mended");
    await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
    await banner.waitFor({ state: "detached" });
    await software.waitFor();
    await page.context().close();
    const phone = await world.enter("operator", PHONE);
    await phone.page.getByRole("region", { name: "Emergency stop of software agents" }).waitFor();
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    await expectAccessible(phone.page);
    await phone.page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });
});

describe.skipIf(LACKS_BROWSER)("a view opened while offline", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  it("loads when the network is back, whether its code or its data was missing", async () => {
    const { body } = await world.agent.get("/api/v1/agents?limit=1");
    const { page } = await world.enter("viewer");
    await world.waitUntilLive(page);
    world.network.cut();
    await page.getByRole("link", { name: "Missions", exact: true }).first().click();
    await page.getByText("This view couldn’t be loaded.").waitFor();
    world.network.mend();
    await page.getByRole("heading", { level: 1, name: "Missions" }).waitFor();
    await page.getByRole("link", { name: "Agents", exact: true }).first().click();
    await page.getByRole("table", { name: "agents" }).waitFor();
    await world.waitUntilLive(page);
    world.network.cut();
    await page.getByRole("link", { name: body.agents[0].name }).first().click();
    await page.getByText("The server can't be reached.").first().waitFor();
    world.network.mend();
    await page.getByRole("heading", { level: 1, name: body.agents[0].name }).waitFor();
    await page.getByText("The server can't be reached.").first().waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe(`/agents/${body.agents[0].id}`);
    await page.context().close();
  });
});
