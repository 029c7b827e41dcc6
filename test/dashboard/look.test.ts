import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the look of the dashboard", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  async function getBackground(page: Page): Promise<string> {
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  }

  async function openMenu(page: Page): Promise<void> {
    await page.getByRole("button", { name: /, menu$/ }).click();
  }

  const [LIGHT, DARK] = ["rgb(246, 247, 249)", "rgb(14, 16, 20)"];

  it("follows the system, or the theme that the person chose, on the settings pages too", async () => {
    const { page } = await world.enter("viewer");
    await world.waitUntilLive(page);
    expect(await getBackground(page)).toBe(LIGHT);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await getBackground(page)).toBe(DARK);
    await openMenu(page);
    await page.getByLabel("Theme").selectOption("light");
    expect(await getBackground(page)).toBe(LIGHT);
    await expectAccessible(page);
    await page.getByLabel("Theme").selectOption("dark");
    await page.emulateMedia({ colorScheme: "light" });
    expect(await getBackground(page)).toBe(DARK);
    await page.goto(`${world.network.url}/settings`);
    expect(await getBackground(page)).toBe(DARK);
    await page.goto(world.network.url);
    await openMenu(page);
    await page.getByLabel("Theme").selectOption("system");
    expect(await getBackground(page)).toBe(LIGHT);
    await page.context().close();
  });

  it("is compact, or comfortable if the person prefers that", async () => {
    const { page } = await world.enter("viewer");
    await world.waitUntilLive(page);
    const size = async () => page.evaluate(() => getComputedStyle(document.body).fontSize);
    expect(await size()).toBe("14px");
    await openMenu(page);
    await page.getByLabel("Density").selectOption("comfortable");
    expect(await size()).toBe("15px");
    await page.reload();
    await world.waitUntilLive(page);
    expect(await size()).toBe("15px");
    await page.context().close();
  });

  it("has its own typeface, and figures of one width in tables and times", async () => {
    const { page } = await world.enter("viewer");
    await world.waitUntilLive(page);
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family);
    });
    expect(new Set(loaded)).toEqual(new Set(["Inter Variable"]));
    await page.context().close();
  });

  it("shows the values of all charts at the time under the cursor", async () => {
    const { page } = await world.enter("viewer");
    await world.waitUntilLive(page);
    const over = page.locator(".u-over");
    await over.nth(1).waitFor();
    await over.first().hover();
    const readouts = page.locator(".chart-readout");
    await readouts.first().getByText(" · ").waitFor();
    const texts = await readouts.allInnerTexts();
    const [moment] = texts[0]?.split(" · ") ?? [];
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text).toMatch(new RegExp(`^${moment} · .* [\\d–]`));
    await page.context().close();
  });
});
