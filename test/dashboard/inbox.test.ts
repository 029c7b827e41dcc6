import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { LACKS_BROWSER, expectAccessible, openWindow } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { SEARCH, register } from "./support/mcp-scene.ts";
import { claimFrom, postAsAgent, postTask } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("the inbox", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** A task that waits for an answer. @returns the ids of both. */
  async function ask(title: string): Promise<{ taskId: string; questionId: string }> {
    const taskId = await postTask(world.agent, { title, queue: title });
    const leaseToken = await claimFrom(world.agent, title);
    const question = {
      kind: "question",
      task_id: taskId,
      lease_token: leaseToken,
      parts: [{ text: `${title}?` }],
    };
    const { body } = await postAsAgent(world.agent, "/messages", question);
    return { taskId, questionId: body.message.id };
  }

  async function readStatus(taskId: string): Promise<string> {
    return (await world.agent.get(`/api/v1/tasks/${taskId}`)).body.task.status;
  }

  async function open(page: Page): Promise<void> {
    await page.goto(`${world.network.url}/inbox`);
    await world.waitUntilLive(page);
  }

  function list(page: Page) {
    return page.getByRole("list", { name: "Waiting for people" });
  }

  it("is empty at first, counts what comes, and is answered by keys alone", async () => {
    const { page } = await world.enter("operator");
    await open(page);
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await expectAccessible(page);
    const first = await ask("alpha");
    const second = await ask("beta");
    await page.waitForFunction(() => document.title === "(2) Inbox · Agent Ops");
    await page.getByRole("link", { name: /^Inbox 2 waiting for you/ }).waitFor();
    await list(page).getByText("beta?").waitFor();
    await page.keyboard.press("j");
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("alpha?"));
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/inbox/${first.questionId}$`));
    await page.keyboard.press("a");
    await page.locator("textarea:focus").waitFor();
    await page.keyboard.type("Yes, a.");
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(new RegExp(`/inbox/${second.questionId}$`));
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("beta?"));
    await page.waitForFunction(() => document.title === "(1) Inbox · Agent Ops");
    expect(await readStatus(first.taskId)).toBe("working");
    await page.keyboard.press("a");
    await page.locator("textarea:focus").waitFor();
    await page.keyboard.type("No.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await page.waitForFunction(() => document.title === "Inbox · Agent Ops");
    expect(await readStatus(second.taskId)).toBe("working");
    await page.context().close();
  });

  it("archives with e, shows it elsewhere, and brings it back", async () => {
    await ask("gamma");
    const { page } = await world.enter("operator");
    await open(page);
    await list(page).getByText("gamma?").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await page.waitForFunction(() => document.title === "Inbox · Agent Ops");
    await page.getByLabel("Show").selectOption("archived");
    await list(page).getByText("gamma?").waitFor();
    const other = await world.enter("operator");
    await open(other.page);
    await list(other.page).getByText("gamma?").waitFor();
    await other.page.context().close();
    const onPhone = await openWindow(world.browser, world.complaints, PHONE);
    await onPhone.context().addCookies(await page.context().cookies());
    await onPhone.goto(`${world.network.url}/inbox?show=archived`);
    await list(onPhone).getByText("gamma?").waitFor();
    await onPhone.context().close();
    await page.reload();
    await list(page).getByText("gamma?").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "Nothing is archived" }).waitFor();
    await page.waitForFunction(() => document.title.startsWith("(1) "));
    expect(await world.server.systemCtx(world.workspaceId).db.archivedInboxItem.count()).toBe(0);
    await page.context().close();
  });

  it("lists tools to review, opens an answered question by its link, and lets viewers read on a phone", async () => {
    const { questionId, taskId } = await ask("delta");
    await register(world.server.systemCtx(world.workspaceId), [SEARCH]);
    const { page } = await world.enter("viewer", PHONE);
    await open(page);
    await list(page).getByText("1 new tool").waitFor();
    await expectAccessible(page);
    await list(page).getByText("delta?").click();
    await page.getByRole("link", { name: "delta" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Question");
    await expectAccessible(page);
    expect(await page.getByRole("textbox").count()).toBe(0);
    const answer = { taskId, replyToId: questionId, parts: [{ text: "By all means" }] };
    await sendMessage(world.server.systemCtx(world.workspaceId), { ...answer, kind: "answer" });
    await page.getByRole("region", { name: "Answer" }).getByText("By all means").waitFor();
    await page.goto(`${world.network.url}/inbox/${questionId}`);
    await page.getByRole("region", { name: "Answer" }).getByText("By all means").waitFor();
    await page.goto(`${world.network.url}/inbox/${crypto.randomUUID()}`);
    await page.getByRole("heading", { level: 1, name: "This question doesn’t exist" }).waitFor();
    await page.context().close();
  });

  it("notifies by the desktop only those who turned it on", async () => {
    const { page } = await world.enter("operator", { permissions: ["notifications"] });
    await page.addInitScript(() => {
      const shown: string[] = [];
      Object.assign(window, { shown });
      class Shown extends EventTarget {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(_title: string, { body }: { body: string }) {
          super();
          shown.push(body);
        }
        close() {}
      }
      Object.assign(window, { Notification: Shown });
      Object.defineProperty(document, "hidden", { get: () => Reflect.get(window, "isHidden") === true });
    });
    await open(page);
    await page.getByRole("checkbox", { name: "Desktop notifications" }).check();
    await list(page).waitFor();
    const before = await page.title();
    await page.evaluate(() => Object.assign(window, { isHidden: true }));
    await ask("epsilon");
    await page.waitForFunction((title) => document.title !== title, before);
    await page.waitForFunction(() => Reflect.get(window, "shown").length === 1);
    expect(await page.evaluate(() => Reflect.get(window, "shown"))).toEqual(["1 new thing waits for you"]);
    await page.getByRole("checkbox", { name: "Desktop notifications" }).uncheck();
    await ask("zeta");
    await page.waitForFunction((title) => document.title !== title, await page.title());
    expect(await page.evaluate(() => Reflect.get(window, "shown"))).toHaveLength(1);
    await page.context().close();
  });
});
