import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../support/browser.ts";
import { fillLogIn } from "../support/fill-log-in.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { WEBHOOK_ENVIRONMENT } from "../support/webhook-scene.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";

const PHONE = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };

describe.skipIf(LACKS_BROWSER)("/settings/webhooks in a browser", () => {
  let world: PageWorld;
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    world = await openPageWorld(WEBHOOK_ENVIRONMENT);
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  afterEach(() => expect(complaints.splice(0)).toEqual([]));

  it.each([
    ["a desktop", {}],
    ["a phone", PHONE],
  ])("adds an endpoint, tries it, sends again and deletes it on %s", async (_what, options) => {
    const receiver = await startWebhookReceiver();
    receiver.answer = () => (receiver.received.length === 1 ? 503 : 204);
    const page = await openWindow(browser, complaints, options);
    await page.goto(`${world.server.url}/settings/webhooks`);
    await fillLogIn(page, await world.person());
    await page.getByLabel("URL").fill(`${receiver.url}/a/long/path/${"x".repeat(80)}`);
    await page.getByLabel("Events").fill("approval.*\ntask.completed");
    await expectAccessible(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Endpoint added" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Send a test event" }).press("Enter");
    await page.getByText("A test event is on its way.").waitFor();
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByText("1 attempt failed").count();
      })
      .toBe(1);
    await expectAccessible(page);
    await page.getByText("Request", { exact: true }).click();
    await page.getByText('"webhook_endpoint.test"').first().waitFor();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("It is on its way again.").waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByText("Delivered", { exact: true }).count();
      })
      .toBe(1);
    await page.getByText("Delete endpoint").click();
    await page.getByRole("button", { name: "Delete now" }).click();
    await page.getByText("No endpoint yet").waitFor();
    await page.context().close();
  });
});
