import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CLOSINGS } from "../../src/live/closings.ts";
import { LACKS_BROWSER } from "../support/browser.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";
import { startAgent } from "./support/start-agent.ts";
import { fillLogIn } from "../support/fill-log-in.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's live updates", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => {
    // The browser logs every request that fails while offline.
    const faults = world.complaints.splice(0).filter((text) => !/ERR_|WebSocket connection/.test(text));
    expect(faults).toEqual([]);
  });

  async function createTask(title: string, queue: string): Promise<string> {
    const answer = await world.agent.post("/api/v1/tasks", { title, queue });
    expect(answer.status).toBe(201);
    return answer.body.task.id;
  }

  function happenings(page: Page): Promise<string[]> {
    return page.getByRole("region", { name: "Activity" }).getByRole("listitem").allInnerTexts();
  }

  async function expectHappened(page: Page, sentence: string): Promise<void> {
    const happened = page.getByRole("region", { name: "Activity" }).getByText(sentence);
    await happened.waitFor();
    expect(await happened.count()).toBe(1);
  }

  it("follow an agent that starts, claims a task and completes it", async () => {
    const { page } = await world.enter();
    await world.waitUntilLive(page);
    let complete = () => {};
    const completing = new Promise<void>((resolve) => (complete = resolve));
    await createTask("Count the pallets", "picker");
    await expectHappened(page, "created Count the pallets");
    const counters = page.getByRole("region", { name: "Key numbers" });
    await counters.getByText("1 queued, 0 need input").waitFor();
    const agent = startAgent(world, "picker", completing);
    await expectHappened(page, "created picker");
    await counters.getByText("1 working").waitFor();
    await counters.getByText("0 queued, 0 need input").waitFor();
    complete();
    await expectHappened(page, "picker completed Count the pallets");
    await counters.getByText("1 completed, 0 failed in the last hour").waitFor();
    await agent.stop();
    await page.context().close();
  });

  it("show how old the data is while disconnected, and resume", async () => {
    const { page } = await world.enter();
    await world.waitUntilLive(page);
    await createTask("Before the cut", "cut");
    await expectHappened(page, "created Before the cut");
    world.network.cut();
    await page.getByText(/^Reconnecting, data is \d+ s old$/).waitFor();
    await page.locator("main[data-stale]").waitFor();
    await createTask("During the cut", "cut");
    world.network.mend();
    await world.waitUntilLive(page);
    await expectHappened(page, "created During the cut");
    await expectHappened(page, "created Before the cut");
    await createTask("After the cut", "cut");
    await expectHappened(page, "created After the cut");
    const order = (await happenings(page)).map((text) => /created (\w+) the cut/.exec(text)?.[1]);
    expect(order.slice(0, 3)).toEqual(["After", "During", "Before"]);
    expect(await page.locator("main[data-stale]").count()).toBe(0);
    await page.context().close();
  });

  it("include changes between the first queries and the start of the stream", async () => {
    const { page } = await world.enter();
    // At first, the socket can't connect.
    await page.addInitScript(`{
      const Real = WebSocket;
      window.WebSocket = class extends Real {
        constructor(url, protocols) {
          super(window.isOpen ? url : url + "-away", protocols);
        }
      };
    }`);
    await createTask("Before the page", "early");
    await page.goto(`${world.network.url}/tasks`);
    await page.getByRole("link", { name: "Before the page" }).waitFor();
    await createTask("Before the stream", "early");
    await page.evaluate("window.isOpen = true");
    await world.waitUntilLive(page);
    const early = page.getByRole("link", { name: "Before the stream" });
    await early.waitFor();
    expect(await early.count()).toBe(1);
    await page.context().close();
  });

  it("reconnect when the server has asked for it", async () => {
    const { page } = await world.enter();
    await world.waitUntilLive(page);
    const random = vi.spyOn(Math, "random").mockReturnValue(0.6);
    const sentAway = performance.now();
    world.server.services.live.connections.killAll(CLOSINGS.restarting);
    random.mockRestore();
    await page.getByText(/^Reconnecting/).waitFor();
    await world.waitUntilLive(page);
    // By itself, it would reconnect within a second.
    expect(performance.now() - sentAway).toBeGreaterThan(2900);
    await page.context().close();
  });

  it("notice at once when the browser goes offline and online", async () => {
    const { page } = await world.enter();
    await world.waitUntilLive(page);
    await page.context().setOffline(true);
    await page.getByText(/^Reconnecting/).waitFor();
    await page.context().setOffline(false);
    await world.waitUntilLive(page);
    expect(await page.getByText(/^Reconnecting/).count()).toBe(0);
    await page.context().close();
  });

  it("reload everything with a notice after missed events", async () => {
    const { page } = await world.enter();
    await world.waitUntilLive(page);
    world.network.cut();
    await page.getByText(/^Reconnecting/).waitFor();
    await createTask("Unheard of", "gap");
    await world.server.database.query(
      "UPDATE workspace_head SET epoch = gen_random_uuid() WHERE workspace_id = $1",
      [world.workspaceId],
    );
    world.network.mend();
    await page.getByText("all data has been reloaded").waitFor();
    await page.getByRole("link", { name: "Tasks", exact: true }).first().click();
    const unheard = page.getByRole("link", { name: "Unheard of" });
    await unheard.waitFor();
    expect(await unheard.count()).toBe(1);
    await page.context().close();
  });

  it("show a chart's values even if the plot can't be loaded", async () => {
    await world.agent.post("/api/v1/tasks", { title: "Counted", queue: "counted" });
    const { body } = await world.agent.post("/api/v1/tasks/claim", { queues: ["counted"] });
    const { task, lease } = body;
    await world.agent.post(`/api/v1/tasks/${task.id}/complete`, { lease_token: lease.token });
    const { page } = await world.enter();
    await page.route(/\/assets\/plot-/, (route) => route.abort());
    await page.goto(world.network.url);
    await page.getByText("The chart couldn’t be loaded").first().waitFor();
    await page.getByText("Show as table Tasks finished").click();
    const numbers = page.getByRole("region", { name: "Tasks finished" });
    await numbers.waitFor();
    expect(await numbers.getByRole("cell", { name: /^[1-9]\d*$/ }).count()).toBeGreaterThan(0);
    await page.context().close();
  });

  it("report a revoked session, and return to the view after log-in", async () => {
    const { page, person } = await world.enter();
    await page.goto(`${world.network.url}/tasks?status=FAILED`);
    await world.waitUntilLive(page);
    const elsewhere = await world.logIn(person);
    const revoked = await elsewhere.submit("/settings/security", { act: "revoke-others" });
    expect(revoked.status).toBe(303);
    await page.getByRole("alert").getByText("Your session has ended.").waitFor();
    await page.getByText("Session ended", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Log in again" }).click();
    await fillLogIn(page, person);
    await page.waitForURL(`${world.network.url}/tasks?status=FAILED`);
    await world.waitUntilLive(page);
    await page.context().close();
  });
});
