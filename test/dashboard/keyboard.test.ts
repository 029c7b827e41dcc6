import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER } from "../support/browser.ts";
import { insertTestAlertRule } from "../support/factories.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";
import { claimFrom, postTask, postAsAgent } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("the keyboard focus", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** Creates a task that waits for an answer. @returns its id. */
  async function ask(title: string): Promise<string> {
    const id = await postTask(world.agent, { title, queue: title });
    const token = await claimFrom(world.agent, title);
    const parts = [{ text: `${title}?` }];
    await postAsAgent(world.agent, "/messages", { kind: "question", task_id: id, lease_token: token, parts });
    return id;
  }

  /** Waits until the focused element has this name. */
  async function expectFocusOn(page: Page, name: RegExp): Promise<void> {
    await page.waitForFunction(
      ({ source }) => {
        const { activeElement: element } = document;
        if (element === null || element === document.body) return false;
        const label = element.id === "" ? null : document.querySelector(`label[for="${element.id}"]`);
        return new RegExp(source).test(label?.textContent ?? element.textContent ?? "");
      },
      { source: name.source },
    );
  }

  it("moves from Answer to the form, and after sending to the next question", async () => {
    await ask("alpha");
    await ask("beta");
    const { page } = await world.enter("operator");
    await world.waitUntilLive(page);
    await page.getByRole("button", { name: "Answer alpha" }).focus();
    await page.keyboard.press("Enter");
    await expectFocusOn(page, /Your answer/);
    await page.keyboard.type("Yes.");
    await page.keyboard.press("Tab");
    await expectFocusOn(page, /Send answer/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Answer alpha" }).waitFor({ state: "detached" });
    await page.getByText("alpha?", { exact: true }).waitFor({ state: "detached" });
    await expectFocusOn(page, /beta/);
    await page.context().close();
  });

  it("moves to the heading after the last answer", async () => {
    const { page } = await world.enter("operator");
    await world.waitUntilLive(page);
    await page.getByRole("button", { name: "Answer beta" }).focus();
    await page.keyboard.press("Enter");
    await expectFocusOn(page, /Your answer/);
    await page.keyboard.type("Yes.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Waiting for an answer" }).waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.closest("main") !== null);
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
    await page.context().close();
  });

  it("stays in a conversation's form, and moves on after an answer", async () => {
    const id = await ask("gamma");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/tasks/${id}`);
    await world.waitUntilLive(page);
    await page.getByLabel("Your answer").first().focus();
    await page.keyboard.type("Yes.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Answer sent.").waitFor();
    await page.waitForFunction(() => document.activeElement !== document.body);
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
    await page.context().close();
  });

  it("moves from Pause to Resume and back, and returns to the button when a dialog closes", async () => {
    const { body } = await world.agent.get("/api/v1/agents?limit=1");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/agents/${body.agents[0].id}`);
    await world.waitUntilLive(page);
    for (const [act, other] of [
      ["Pause", "Resume"],
      ["Resume", "Pause"],
    ]) {
      await page.getByRole("button", { name: act ?? "", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByLabel("Reason").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expectFocusOn(page, new RegExp(`^${act}$`));
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByLabel("Reason").focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: other ?? "", exact: true }).waitFor();
      await expectFocusOn(page, new RegExp(`^${other}$`));
    }
    await page.context().close();
  });

  it("goes on after forms, deletes and dialogs, which Ctrl+Enter sends", async () => {
    const { page } = await world.enter("owner");
    await page.goto(`${world.network.url}/tasks/new`);
    await page.getByLabel("Title").fill("Sweep the deck");
    await page.keyboard.press("Control+Enter");
    await expectFocusOn(page, /^Sweep the deck$/);
    await page.getByRole("button", { name: "Cancel task" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("Reason").fill("Rain");
    await page.keyboard.press("Control+Enter");
    await expectFocusOn(page, /^Retry$/);
    const rule = await insertTestAlertRule(world.server.systemCtx(world.workspaceId), "Deck is wet");
    await page.goto(`${world.network.url}/alerts/${rule}`);
    await page.getByRole("button", { name: "Delete alert rule" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Delete Deck is wet?" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await expectFocusOn(page, /^Alerts$/);
    await page.context().close();
  });

  it("returns from the palette and the shortcuts, and from an act of the palette to the page", async () => {
    const { page } = await world.enter("operator");
    const views = page.getByRole("navigation", { name: "Views" });
    await views.getByRole("link", { name: "Tasks", exact: true }).focus();
    for (const key of ["Control+k", "?"]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await expectFocusOn(page, /^\s*Tasks/);
    }
    const { body } = await world.agent.get("/api/v1/agents?limit=1");
    const { id, name } = body.agents[0];
    await page.keyboard.press("Control+k");
    await page.keyboard.type(`pause ${name}`);
    await page.getByRole("option", { name: `Pause ${name}` }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/agents/${id}$`));
    await page.getByRole("dialog", { name: "Pause agent?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.closest("main") !== null);
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
    await page.context().close();
  });

  it("opens a dialog again that was closed just before", async () => {
    const { body } = await world.agent.get("/api/v1/agents?limit=1");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/agents/${body.agents[0].id}`);
    await page.getByRole("button", { name: /^(Pause|Resume)$/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    // The browser's own close event comes after the next key press.
    await dialog.evaluate(async (element) => {
      element.dispatchEvent(new Event("cancel"));
      (element as HTMLDialogElement).close();
      await Promise.resolve();
      const opener = [...document.querySelectorAll("main button")].find((button) =>
        /^(Pause|Resume)$/.test(button.textContent),
      );
      (opener as HTMLElement).click();
    });
    await dialog.getByLabel("Reason").waitFor();
    expect(await dialog.count()).toBe(1);
    await page.context().close();
  });
});
