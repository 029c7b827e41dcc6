import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's templates of missions", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("are saved from the form, fill it in, and are deleted", async () => {
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByRole("button", { name: "Save as template" }).click();
    await page.getByText("Enter a station, or choose a place on the map.").waitFor();
    await page.getByLabel("Title").fill("Morning round");
    await page.getByLabel("Priority").fill("8");
    await page.getByLabel("Fleet").fill("hall-q");
    await page.getByLabel("To station").fill("gate-3");
    await page.getByRole("button", { name: "Save as template" }).click();
    const dialog = page.getByRole("dialog", { name: "Save as template" });
    expect(await dialog.getByLabel("Template name").inputValue()).toBe("Morning round");
    await dialog.getByLabel("Template name").fill("Rounds");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save template" }).click();
    await page.getByText("The template Rounds has been saved.").waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Save as template");
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByLabel("Start from").selectOption({ label: "Rounds (1 step)" });
    expect(await page.getByLabel("To station").inputValue()).toBe("gate-3");
    expect(await page.getByLabel("Priority").inputValue()).toBe("8");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create mission" }).click();
    await page.getByRole("heading", { level: 1, name: "Morning round" }).waitFor();
    const { body } = await world.agent.get(`/api/v1/missions/${page.url().split("/").at(-1)}`);
    expect(body.mission).toMatchObject({ priority: 8, selector: { fleet: "hall-q" } });
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByLabel("Start from").selectOption({ label: "Rounds (1 step)" });
    await page.getByRole("button", { name: "Delete template" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete template" }).click();
    await page.getByText("The template Rounds has been deleted.").waitFor();
    await expect.poll(() => page.getByRole("option", { name: "Rounds (1 step)" }).count()).toBe(0);
    await page.context().close();
  });
});
