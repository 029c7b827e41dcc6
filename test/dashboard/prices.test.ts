import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { setModelPrice } from "../../src/domain/prices/set-model-price.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's prices", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("are set and deleted by admins, %s", async (size, options) => {
    const model = `house ${size}`;
    const { page } = await world.enter("admin", options);
    await page.goto(`${world.network.url}/costs`);
    await page.getByRole("link", { name: "Prices" }).click();
    const form = page.getByRole("region", { name: "Set a price" });
    await form.getByLabel("Model").fill(`${model}*x`);
    await form.getByLabel("From").fill("2026-11-20T00:00");
    await form.getByLabel("Input", { exact: true }).fill("1.5");
    await form.getByLabel("Output").fill("many");
    await form.getByRole("button", { name: "Set price" }).click();
    await form.getByText("can have a * at its end only", { exact: true }).waitFor();
    await form.getByLabel("Output").fill("6");
    await form.getByLabel("Model").fill(`${model}*`);
    await form.getByRole("button", { name: "Set price" }).click();
    const row = page.getByRole("row").filter({ hasText: model });
    for (const text of ["any", "2026-11-20 UTC", "$6"]) await row.getByText(text).waitFor();
    expect(await row.getByText("$1.5").count()).toBe(2);
    await expectAccessible(page);
    await row.getByRole("button", { name: `Delete the price of ${model}*` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete price" }).click();
    await row.waitFor({ state: "detached" });
    await page.context().close();
  });

  it("are read by viewers, who see new ones without a reload", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/costs/prices`);
    await page.getByText("No prices of your own").waitFor();
    await world.waitUntilLive(page);
    await setModelPrice(world.ctx, {
      model: "live-1",
      provider: "acme",
      prices: { input: "1", output: "2" },
    });
    const row = page.getByRole("row").filter({ hasText: "live-1" });
    await row.getByText("acme").waitFor();
    await row.getByText("always").waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await page.context().close();
  });
});
