import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

/** More tasks than fit on a page. */
const FILL = `
  INSERT INTO task (workspace_id, id, context_id, title, created_by)
  SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'Filler ' || n, '{}' FROM generate_series(1, 150) n`;

describe.skipIf(LACKS_BROWSER)("the dashboard's layout and start page", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** Creates a task that waits for an answer. */
  async function ask(title: string, text: string): Promise<string> {
    await world.agent.post("/api/v1/tasks", { title, queue: title.toLowerCase() });
    const claimed = await world.agent.post("/api/v1/tasks/claim", { queues: [title.toLowerCase()] });
    const asked = await world.agent.post("/api/v1/messages", {
      ...{ kind: "question", task_id: claimed.body.task.id, lease_token: claimed.body.lease.token },
      parts: [{ text }],
    });
    expect(asked.status).toBe(201);
    return claimed.body.task.id;
  }

  function dialog(page: Page) {
    return page.getByRole("dialog");
  }

  function questions(page: Page) {
    return page.getByRole("region", { name: "Waiting for an answer" });
  }

  function finder(page: Page) {
    return page.getByRole("combobox", { name: "Find anything by name, kind or ID, or do something" });
  }

  it("answers a question in place, and the task continues", async () => {
    const { page } = await world.enter("operator");
    await world.waitUntilLive(page);
    const id = await ask("Refund", "May I refund 19.90?");
    await questions(page).getByText("May I refund 19.90?").waitFor();
    await page.getByRole("button", { name: "Answer Refund" }).click();
    await page.getByLabel("Your answer").fill("Yes, once.");
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("status").getByText("Answered: Refund").waitFor();
    await questions(page).getByText("May I refund 19.90?").waitFor({ state: "detached" });
    const { body } = await world.agent.get(`/api/v1/tasks/${id}`);
    expect(body.task.status).toBe("working");
    await page.context().close();
  });

  it("shows in place why an answer is rejected", async () => {
    const { page } = await world.enter("operator");
    const id = await ask("Gone", "Shall I?");
    await page.getByRole("button", { name: "Answer Gone" }).click();
    await page.getByLabel("Your answer").fill(" \0 ");
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Your answer").count()).toBe(1);
    await world.agent.post(`/api/v1/tasks/${id}/cancel`, {});
    await page.context().close();
  });

  it("stops all agents after asking for a reason, shows it everywhere, and lets only admins release it", async () => {
    const { page } = await world.enter("operator");
    await page.getByRole("button", { name: "Emergency stop" }).click();
    await dialog(page).getByText("Offline agents receive it when they reconnect.").waitFor();
    await dialog(page).getByRole("button", { name: "Stop all agents now" }).click();
    await dialog(page).locator("input:invalid").waitFor();
    await dialog(page).getByLabel("Reason").fill("Smoke in hall 2");
    const { page: other } = await world.enter("admin");
    await world.waitUntilLive(other);
    await dialog(page).getByRole("button", { name: "Stop all agents now" }).click();
    for (const window of [page, other]) {
      await window.getByRole("region", { name: "Emergency stop" }).getByText("Smoke in hall 2").waitFor();
    }
    expect((await world.agent.post("/api/v1/tasks/claim", {})).status).toBe(204);
    await expectAccessible(other);
    expect(await page.getByRole("button", { name: "Release…" }).count()).toBe(0);
    await page.getByText("An admin can release it.").waitFor();
    await other.getByRole("button", { name: "Release…" }).click();
    await dialog(other).getByLabel("Reason").fill("All clear");
    await dialog(other).getByRole("button", { name: "Release" }).click();
    for (const window of [page, other]) {
      await window.getByRole("region", { name: "Emergency stop" }).waitFor({ state: "detached" });
    }
    for (const window of [page, other]) await window.context().close();
  });

  it("shows why tasks failed, and the slowest agents", async () => {
    const { page } = await world.enter("viewer");
    await world.agent.post("/api/v1/tasks", { title: "Break", queue: "break" });
    const { task, lease } = (await world.agent.post("/api/v1/tasks/claim", { queues: ["break"] })).body;
    await world.agent.post(`/api/v1/tasks/${task.id}/fail`, {
      ...{ lease_token: lease.token, error: { code: "card_declined", message: "No", retryable: false } },
    });
    const failures = page.getByRole("region", { name: "Failed tasks by error" });
    await failures.getByRole("listitem").filter({ hasText: "card declined" }).getByText("1").waitFor();
    await page.getByRole("region", { name: "Slowest agents" }).getByRole("link").first().waitFor();
    await failures.getByRole("link", { name: "card declined" }).click();
    await page.getByRole("link", { name: "Break" }).waitFor();
    const filters = page.getByRole("group", { name: "Filters that apply" });
    expect(await filters.getByRole("button").count()).toBe(2);
    await page.context().close();
  });

  it("offers a viewer nothing they may not do", async () => {
    await ask("Seen", "Is anybody there?");
    const { page } = await world.enter("viewer");
    await questions(page).getByText("Is anybody there?").waitFor();
    expect(await page.getByRole("button", { name: /Answer|Emergency stop/ }).count()).toBe(0);
    await page.context().close();
  });

  it("can be navigated by keyboard", async () => {
    const { page } = await world.enter();
    await world.agent.post("/api/v1/tasks", { title: "Weigh the crates", queue: "scales" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("miss");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/missions$/);
    await page.locator("h1:focus").waitFor();
    expect(await page.title()).toMatch(/^(\(\d+\) )?Missions · Agent Ops$/);
    await page.keyboard.press("Control+k");
    await finder(page).fill("weigh");
    await page.getByRole("option", { name: "Weigh the crates" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/tasks\/[0-9a-f-]{36}$/);
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "hidden" });
    await page.goBack();
    await page.waitForURL(/\/missions$/);
    await page.context().close();
  });

  it("finds old tasks by their words, and anything by its id", async () => {
    const old = await world.agent.post("/api/v1/tasks", { title: "Polish the brass bell", queue: "deck" });
    const uuid = old.body.task.id;
    await world.server.database.query(FILL, [world.workspaceId]);
    const { page } = await world.enter();
    await page.keyboard.press("Control+k");
    await finder(page).pressSequentially("brass bell");
    await page.getByRole("option", { name: "Polish the brass bell" }).waitFor();
    await finder(page).fill(uuid);
    await page.getByRole("option", { name: "Polish the brass bell" }).waitFor();
    expect(await dialog(page).getByRole("option").count()).toBe(1);
    await finder(page).fill(crypto.randomUUID());
    await dialog(page).getByText("Nothing found.").waitFor();
    await finder(page).fill(uuid);
    await page.getByRole("option", { name: "Polish the brass bell" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/tasks/${uuid}$`));
    await page.context().close();
  });

  it("shows the latest events by name, from before and after the page was opened", async () => {
    await world.agent.post("/api/v1/tasks", { title: "Before the page", queue: "deck" });
    const { page } = await world.enter("viewer");
    const ticker = page.getByRole("region", { name: "Activity" });
    await ticker.getByRole("link", { name: "Before the page" }).waitFor();
    await world.waitUntilLive(page);
    await world.agent.post("/api/v1/tasks", { title: "While it is open", queue: "deck" });
    await ticker.getByRole("link", { name: "While it is open" }).waitFor();
    const [newest = ""] = await ticker.getByRole("listitem").allTextContents();
    expect(newest).toContain("While it is open");
    await page.context().close();
  });

  it("links to the settings and back, and logs out", async () => {
    const { page } = await world.enter();
    await page.getByRole("button", { name: "Somebody" }).click();
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    await world.waitUntilLive(page);
    await page.getByRole("link", { name: "Agent Ops" }).click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await page.getByRole("button", { name: "Somebody" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByText("You have been logged out.").waitFor();
    await page.goto(world.network.url);
    expect(new URL(page.url()).pathname).toBe("/users/log-in");
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible in light and dark mode, %s", async (_size, options) => {
    const { page } = await world.enter("owner", options);
    await world.waitUntilLive(page);
    await page.locator(".uplot").first().waitFor();
    await page.getByText("Show as table").first().click();
    await page
      .getByRole("button", { name: /^Answer/ })
      .first()
      .click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Emergency stop" }).click();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await finder(page).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    world.network.cut();
    await page.locator("main[data-stale]").waitFor();
    await expectAccessible(page);
    world.network.mend();
    await world.waitUntilLive(page);
    world.complaints.length = 0;
    await page.context().close();
  });
});
