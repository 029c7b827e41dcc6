import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER } from "../support/browser.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";

/** After this many presses of Tab, the walk has gone in a circle. */
const FARTHEST = 120;

describe.skipIf(LACKS_BROWSER)("a walk by keyboard", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** Creates a robot that has reported once. */
  async function openRobot(handle: string): Promise<{ id: string; robot: TestClient }> {
    const { body } = await world.agent.post("/api/v1/agent_tokens", { agent: { handle, kind: "robot" } });
    const robot = createTestClient(world.server.url, body.token);
    const state = { state_seq: 1, operating_mode: "automatic", battery_percent: 80 };
    await robot.send("/api/v1/robots/self/state", { method: "PUT", body: state });
    return { id: String(body.agent_id), robot };
  }

  /** The accessible name of the focused element as far as this walk needs it; "" if nothing has the focus. */
  async function focusName(page: Page): Promise<string> {
    return page.evaluate(() => {
      const { activeElement: element } = document;
      if (element === null || element === document.body) return "";
      const label = "labels" in element ? (element as HTMLInputElement).labels?.[0]?.textContent : undefined;
      return (label ?? element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
    });
  }

  /** Presses Tab until an element with this name has the focus. */
  async function tabTo(page: Page, name: RegExp): Promise<void> {
    const passed: string[] = [];
    while (passed.length < FARTHEST) {
      const here = await focusName(page);
      if (name.test(here)) return;
      passed.push(here);
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${name.source}, but to ${passed.join(", ")}`);
  }

  /** Waits until the focus is on an element of the view with this name. */
  async function expectFocus(page: Page, name: RegExp): Promise<void> {
    await expect.poll(() => focusName(page), { timeout: 10_000 }).toMatch(name);
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
  }

  /** Opens the dialog of a button, and confirms it. */
  async function confirm(page: Page, button: RegExp, title: string): Promise<void> {
    await tabTo(page, button);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: title }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog", { name: title }).waitFor({ state: "detached" });
  }

  it("creates, pauses, resumes and cancels a mission", async () => {
    const { robot } = await openRobot("walk-1");
    const { page } = await world.enter("operator");
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await expectFocus(page, /^Missions$/);
    await tabTo(page, /^New mission$/);
    await page.keyboard.press("Enter");
    await expectFocus(page, /^New mission$/);
    await tabTo(page, /^Title$/);
    await page.keyboard.type("Walk the hall");
    await tabTo(page, /^To station/);
    await page.keyboard.type("dock-1");
    await page.keyboard.press("Control+Enter");
    await expectFocus(page, /^Walk the hall$/);
    await world.waitUntilLive(page);
    const path = `/api/v1/missions/${page.url().split("/").at(-1)}`;
    const { body } = await world.agent.get(path);
    const steps = [{ key: body.mission.steps[0].key, status: "running" }];
    expect((await robot.post(`${path}/progress`, { steps })).status).toBe(200);
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await expectFocus(page, /^Walk the hall$/);
    await confirm(page, /^Pause$/, "Pause mission?");
    await expectFocus(page, /^Resume$/);
    await confirm(page, /^Resume$/, "Resume mission?");
    await expectFocus(page, /^Pause$/);
    await confirm(page, /^Cancel$/, "Cancel mission?");
    // Not on what can do harm, which is beside it.
    await expectFocus(page, /^Again$/);
    await page.keyboard.press("Shift+Tab");
    await confirm(page, /^Force cancel$/, "Force cancel mission?");
    await expectFocus(page, /^Again$/);
    await page.context().close();
  });

  it("sends a command to a robot", async () => {
    const { id } = await openRobot("walk-2");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/robots/${id}`);
    await world.waitUntilLive(page);
    await tabTo(page, /^Issue command$/);
    await page.keyboard.press("Enter");
    await expectFocus(page, /^(Issue|New) command$/);
    await tabTo(page, /^Command$/);
    await page.keyboard.type("robot.dock");
    await page.keyboard.press("Control+Enter");
    await page.getByText("The command has been issued.").waitFor();
    await page.waitForURL(/commands\/[0-9a-f-]{36}$/);
    await expectFocus(page, /^robot\.dock$/);
    const sent = await world.ctx.db.agentCommand.findMany({ where: { agentId: id } });
    expect(sent.map(({ type }) => type)).toEqual(["robot.dock"]);
    await page.context().close();
  });

  it("creates a policy, turns it off and on, and deletes it", async () => {
    const { page } = await world.enter("admin");
    await page.keyboard.press("g");
    await page.keyboard.press("y");
    await expectFocus(page, /^Policies$/);
    await tabTo(page, /^(New policy|Write the first.*)$/);
    await page.keyboard.press("Enter");
    await expectFocus(page, /^New policy$/);
    await tabTo(page, /^Name$/);
    await page.keyboard.type("walks are asked about");
    await page.keyboard.press("Control+Enter");
    await expectFocus(page, /^walks are asked about$/);
    for (const enabled of [false, true]) {
      await tabTo(page, /^Edit policy$/);
      await page.keyboard.press("Enter");
      await expectFocus(page, /^Edit /);
      await tabTo(page, /^Enabled/);
      await page.keyboard.press("Space");
      await page.keyboard.press("Control+Enter");
      await expectFocus(page, /^walks are asked about$/);
      await expect
        .poll(() => world.ctx.db.policy.findFirst({ where: { name: "walks are asked about" } }))
        .toMatchObject({ enabled });
    }
    await confirm(page, /^Delete policy$/, "Delete walks are asked about?");
    await expectFocus(page, /^Policies$/);
    await page.context().close();
  });
});
