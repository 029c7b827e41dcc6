import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { postTask } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("the settings' frame", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("is there before the API has answered anything, and has each style once", async () => {
    const { page } = await world.enter("operator");
    await page.route("**/graphql", async () => {});
    await page.goto(`${world.network.url}/settings`);
    await page.getByRole("button", { name: "Emergency stop" }).waitFor();
    const fields = await page.evaluate(
      () =>
        [...document.styleSheets]
          .flatMap((sheet) => [...sheet.cssRules])
          .filter((rule) => rule instanceof CSSStyleRule && rule.selectorText === ".field").length,
    );
    expect(fields).toBe(1);
    await page.context().close();
  });

  it("finds everything, as in the dashboard, and loads it", async () => {
    const id = await postTask(world.agent, { title: "Far away", queue: "far" });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/settings/password`);
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.getByRole("banner").count()).toBe(1);
    await expectAccessible(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Find" }).getByRole("combobox").fill("far away");
    await page
      .getByRole("option", { name: /Far away/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `/tasks/${id}`);
    await page.getByRole("heading", { name: "Far away" }).waitFor();
    await page.context().close();
  });

  it("copies what is there to be copied", async () => {
    const { page } = await world.enter("owner");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${world.network.url}/settings/scim`);
    await page.getByRole("button", { name: "Copy Base URL" }).click();
    await page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^https?:\/\/[^/]+\/scim\/v2$/);
    await expectAccessible(page);
    await page.goto(`${world.network.url}/settings/sign-in`);
    expect(await page.getByRole("button", { name: /^Copy / }).count()).toBe(3);
    await page.context().close();
  });

  it("keeps inputs next to their labels, whatever is beside them", async () => {
    const { page } = await world.enter("owner");
    for (const path of ["/settings/api-keys/new", "/settings/workloads", "/settings/workspace"]) {
      await page.goto(world.network.url + path);
      const gaps = await page.evaluate(() =>
        [...document.querySelectorAll("main .columns > .field")].map((field) => {
          const [label, input] = [field.querySelector(".label"), field.querySelector(".input")];
          return (input?.getBoundingClientRect().top ?? 0) - (label?.getBoundingClientRect().bottom ?? 0);
        }),
      );
      expect(gaps.length).toBeGreaterThan(2);
      expect(Math.max(...gaps)).toBeLessThan(10);
    }
    await page.context().close();
  });

  it("stops and releases all agents, and says so", async () => {
    const { page } = await world.enter("owner", PHONE);
    await page.goto(`${world.network.url}/settings`);
    await page.getByRole("button", { name: "Emergency stop" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Smoke in hall A");
    await page.getByRole("dialog").getByRole("button", { name: "Stop all agents now" }).click();
    const banner = page.getByRole("main").getByRole("region", { name: "Emergency stop" });
    await banner.getByText("Smoke in hall A").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectAccessible(page);
    await banner.getByRole("button", { name: "Release…" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("All clear");
    await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
    await banner.waitFor({ state: "detached" });
    await page.context().close();
  });
});
