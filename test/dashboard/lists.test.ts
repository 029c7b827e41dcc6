import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { postTask } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's lists", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  async function getStatus(id: string): Promise<string> {
    return (await world.agent.get(`/api/v1/tasks/${id}`)).body.task.status;
  }

  async function openTasks(search: string, options = {}): Promise<Page> {
    const { page } = await world.enter("operator", options);
    await page.goto(`${world.network.url}/tasks?view=list&${search}`);
    await world.waitUntilLive(page);
    return page;
  }

  async function select(page: Page, ...titles: string[]): Promise<void> {
    for (const title of titles) await page.getByRole("checkbox", { name: `Select ${title}` }).check();
  }

  it("cancel several tasks for one reason, and retry them", async () => {
    const ids = await Promise.all(
      ["one", "two", "three"].map((title) => postTask(world.agent, { title, queue: "bulk" })),
    );
    const page = await openTasks("queue=bulk");
    await select(page, "one", "two");
    await page.getByText("2 tasks selected").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel 2 tasks?" });
    await dialog.getByLabel("Reason").fill("The order was withdrawn");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel 2 tasks" }).click();
    await page.getByText("2 of 2 canceled or asked to stop.").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("tasks selected").waitFor({ state: "detached" });
    const statuses = await Promise.all(ids.map(getStatus));
    expect(statuses).toEqual(["canceled", "canceled", "submitted"]);
    await page.getByRole("checkbox", { name: "Select all tasks of this page" }).check();
    await page.getByText("3 tasks selected").waitFor();
    await page.getByRole("button", { name: "Retry 2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry 2 tasks" }).click();
    await page.getByText("2 of 2 created again.").waitFor();
    const { body } = await world.agent.get("/api/v1/tasks?queue=bulk");
    const again = body.tasks.filter(
      (task: { parent_task_id: string | null }) => task.parent_task_id !== null,
    );
    expect(again.map(({ title }: { title: string }) => title).toSorted()).toEqual(["one", "two"]);
    await page.context().close();
  });

  it("act on all that match, also on other pages", async () => {
    for (let number = 0; number < 120; number++) {
      await postTask(world.agent, { title: `job ${number}`, queue: "pages" });
    }
    const page = await openTasks("queue=pages");
    await page.getByRole("checkbox", { name: "Select all tasks of this page" }).check();
    await page.getByRole("button", { name: "Select all 120 tasks" }).click();
    await page.getByText("120 tasks selected").waitFor();
    await expectAccessible(page);
    await page.getByRole("checkbox", { name: "Select job 119", exact: true }).uncheck();
    await page.getByText("119 tasks selected").waitFor();
    await page.getByRole("button", { name: "Cancel 119" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel 119 tasks" }).click();
    await page.getByText("119 of 119 canceled or asked to stop.").waitFor();
    const statuses = await world.server.database.query(
      "SELECT status, count(*)::int FROM task WHERE queue = 'pages' GROUP BY 1 ORDER BY 2",
    );
    expect(statuses).toEqual([
      { status: "submitted", count: 1 },
      { status: "canceled", count: 119 },
    ]);
    await page.context().close();
  });

  it("say which rows could not be acted on, and why", async () => {
    const id = await postTask(world.agent, { title: "gone", queue: "gone" });
    await postTask(world.agent, { title: "there", queue: "gone" });
    const page = await openTasks("queue=gone");
    await select(page, "gone", "there");
    await page.getByRole("button", { name: "Cancel 2" }).click();
    await world.server.database.query("DELETE FROM task WHERE id = $1", [id]);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel 2 tasks" }).click();
    const alert = page.getByRole("dialog").getByRole("alert");
    await alert.getByText(/^gone: /).waitFor();
    expect(await alert.getByRole("listitem").count()).toBe(1);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.context().close();
  });

  it("show the filters that apply as tokens, which remove them", async () => {
    await postTask(world.agent, { title: "narrowed", queue: "tokens", labels: { site: "hall-a" } });
    const page = await openTasks("status=SUBMITTED&queue=tokens&labels=site%3Dhall-a&since=2026-01-31T08:00");
    const tokens = page.getByRole("group", { name: "Filters that apply" });
    await tokens.getByText("Created from: Jan 31, 2026, 8:00 AM").waitFor();
    expect(await tokens.getByRole("button").count()).toBe(4);
    await expectAccessible(page);
    await page.locator("summary", { hasText: "More" }).click();
    await page.getByLabel("Labels").waitFor();
    expect(await tokens.getByRole("button").count()).toBe(4);
    await page.keyboard.press("Escape");
    await tokens.getByRole("button", { name: "Remove filter Status: submitted" }).click();
    await page.waitForURL(
      (url) => url.search === "?view=list&queue=tokens&labels=site%3Dhall-a&since=2026-01-31T08%3A00",
    );
    expect(await page.getByLabel("Status", { exact: true }).inputValue()).toBe("");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL((url) => url.search === "?view=list");
    expect(await tokens.isVisible()).toBe(false);
    await page.context().close();
  });

  it("fold their filters away on a phone", async () => {
    const page = await openTasks("queue=tokens", PHONE);
    await page.getByText("Queue: tokens").waitFor();
    await page.getByLabel("Search titles").waitFor();
    expect(await page.getByLabel("Status", { exact: true }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await page.getByLabel("Status", { exact: true }).selectOption("SUBMITTED");
    await page.getByRole("button", { name: "Remove filter Status: submitted" }).waitFor();
    await page.context().close();
  });

  it("offer a viewer nothing to select", async () => {
    await postTask(world.agent, { title: "seen", queue: "seen" });
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/tasks?view=list&queue=seen`);
    await page.getByRole("link", { name: "seen" }).waitFor();
    expect(await page.getByRole("checkbox", { name: /^Select/ }).count()).toBe(0);
    await page.context().close();
  });

  it("are exported whole, as CSV and JSON", async () => {
    await Promise.all(
      Array.from({ length: 120 }, async (_none, n) =>
        postTask(world.agent, { title: `=row ${n}`, queue: "many" }),
      ),
    );
    const page = await openTasks("queue=many");
    const files = [];
    for (const format of ["CSV", "JSON"]) {
      await page.locator("summary", { hasText: "Export" }).click();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: `Save as ${format}` }).click();
      const file = await download;
      files.push({ name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") });
      await page.getByText("Saved 120 tasks.").waitFor();
      await page.keyboard.press("Escape");
    }
    const [csv, json] = files;
    expect(files.map(({ name }) => name)).toEqual(["tasks.csv", "tasks.json"]);
    const lines = csv?.text.trimEnd().split("\r\n") ?? [];
    expect(lines).toHaveLength(121);
    expect(lines[0]).toMatch(/^uuid,title,status,queue,/);
    expect(lines[1]).toContain(",'=row ");
    expect(JSON.parse(json?.text ?? "")).toHaveLength(120);
    await page.context().close();
  });

  it("show the columns that were chosen, and keep that in the URL", async () => {
    await postTask(world.agent, { title: "narrow", queue: "narrow" });
    const page = await openTasks("queue=narrow");
    const header = page.getByRole("columnheader", { name: "Attempts" });
    await header.waitFor();
    await page.locator("summary", { hasText: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Attempts" }).uncheck();
    await expectAccessible(page);
    await header.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Tasks" }).click();
    await page.getByRole("checkbox", { name: "Attempts" }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("link", { name: "narrow" }).waitFor();
    expect(await header.count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("hide")).toBe("Attempts");
    await page.context().close();
  });

  it("filter tasks by labels and by when they were created", async () => {
    await postTask(world.agent, { title: "here", queue: "labeled", labels: { hall: "a" } });
    await postTask(world.agent, { title: "there", queue: "labeled", labels: { hall: "b" } });
    const page = await openTasks("queue=labeled", PHONE);
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await page.locator("summary", { hasText: "More" }).click();
    await page.getByLabel("Labels").fill("hall");
    await page.getByLabel("Labels").press("Enter");
    await page.getByText("Enter labels as name=value, separated by commas.").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Labels").fill("hall=a");
    await page.getByLabel("Labels").press("Enter");
    await page.getByRole("link", { name: "there" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "here" }).waitFor();
    await page.getByLabel("Created before").fill("2020-01-01T00:00");
    await page.getByText("No task matches these filters").waitFor();
    await page.context().close();
  });

  it("pause and resume several agents, and cancel several commands", async () => {
    const made = await Promise.all(
      ["loom-1", "loom-2"].map((handle) => world.agent.post("/api/v1/agent_tokens", { agent: { handle } })),
    );
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/agents?q=loom`);
    await world.waitUntilLive(page);
    await select(page, "loom-1", "loom-2");
    await page.getByRole("button", { name: "Pause 2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause 2 agents" }).click();
    await page.getByText("2 of 2 paused.").waitFor();
    await select(page, "loom-1");
    await page.getByRole("button", { name: "Resume 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume 1 agent" }).click();
    await page.getByText("1 of 1 resumed.").waitFor();
    const states = await world.ctx.db.agent.findMany({
      where: { id: { in: made.map(({ body }) => body.agent_id) } },
      orderBy: { handle: "asc" },
    });
    expect(states.map(({ controlState }) => controlState)).toEqual(["active", "paused"]);
    await page.goto(`${world.network.url}/commands`);
    await page.getByRole("checkbox", { name: "Select agent.pause to loom-2" }).check();
    await page.getByRole("button", { name: "Cancel 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel 1 command" }).click();
    await page.getByText("1 of 1 canceled.").waitFor();
    await page.context().close();
  });
});
