import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the keyboard shortcuts", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("open views after g, but not while the user types", async () => {
    const { page } = await world.enter("operator");
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.waitForURL(/\/tasks$/);
    await page.locator("h1:focus").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await page.waitForURL(/\/missions$/);
    await page.keyboard.press("t");
    expect(new URL(page.url()).pathname).toBe("/missions");
    await page.goto(`${world.network.url}/tasks/new`);
    await page.getByLabel("Title").pressSequentially("got?");
    expect(await page.getByLabel("Title").inputValue()).toBe("got?");
    expect(new URL(page.url()).pathname).toBe("/tasks/new");
    expect(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).count()).toBe(0);
    await page.context().close();
  });

  it("are listed after a question mark, with those of the view, and in the palette", async () => {
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/approvals`);
    await page.getByRole("heading", { level: 1, name: "Approvals" }).waitFor();
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await page.keyboard.press("?");
    await dialog.getByText("Deny it, with a reason").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    expect(new URL(page.url()).pathname).toBe("/approvals");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.waitForURL(/\/commands$/);
    await page.getByRole("heading", { level: 1, name: "Commands" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /^Tasks.*g t$/ }).waitFor();
    await page.keyboard.type("shortcuts");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    expect(await dialog.getByText("Deny it, with a reason").count()).toBe(0);
    await page.context().close();
  });
});
