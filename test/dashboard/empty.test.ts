import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

const LISTS = [
  ["/tasks?view=list", "No tasks yet", "Create the first one"],
  ["/tasks", "All queues are empty.", "Create a task"],
  ["/missions", "No missions yet", "Create the first one"],
  ["/commands", "No commands yet", "Issue the first one"],
  ["/conversations", "No conversations yet", "Create a task"],
] as const;

describe.skipIf(LACKS_BROWSER)("the dashboard of an empty workspace", () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  function link(page: Page, name: string) {
    return page.getByRole("main").getByRole("link", { name });
  }

  it("tells operators what to do next in every list, and viewers what will appear there", async () => {
    const [{ page: operator }, { page: viewer }] = [
      await world.enter("operator"),
      await world.enter("viewer"),
    ];
    for (const [path, title, act] of LISTS) {
      await operator.goto(world.network.url + path);
      await operator.getByText(title).waitFor();
      await link(operator, act).last().waitFor();
      await viewer.goto(world.network.url + path);
      await viewer.getByText(title).waitFor();
      expect({ path, acts: await link(viewer, act).count() }).toEqual({ path, acts: 0 });
    }
    for (const page of [operator, viewer]) {
      await page.goto(`${world.network.url}/robots`);
      await page.getByText("No robots yet").waitFor();
      expect(await link(page, "API key").count()).toBe(0);
      await page.context().close();
    }
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("shows how to get started until there is any work", async () => {
    const { page: viewer } = await world.enter("viewer", PHONE);
    const { page } = await world.enter("owner");
    const first = page.getByRole("region", { name: "Get started" });
    for (const window of [page, viewer]) {
      await window.getByRole("region", { name: "Get started" }).waitFor();
      await world.waitUntilLive(window);
      await expectAccessible(window);
    }
    expect(await viewer.getByRole("region", { name: "Get started" }).getByRole("link").count()).toBe(0);
    const hrefs = await first
      .getByRole("link")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(hrefs).toEqual(["/connect", "/api/v1/docs", "/tasks/new"]);
    await world.agent.post("/api/v1/tasks", { title: "The first", queue: "any" });
    for (const window of [page, viewer]) {
      await window.getByRole("region", { name: "Get started" }).waitFor({ state: "detached" });
      await window.context().close();
    }
    expect(world.complaints.splice(0)).toEqual([]);
  });
});
