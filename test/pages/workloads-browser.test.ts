import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../support/browser.ts";
import { createTestClient } from "../support/test-client.ts";
import { AUDIENCE, type TestIssuer, startIssuer } from "../support/test-issuer.ts";
import { exchangeAt } from "../support/workload-scene.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";

const PHONE = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };

// oxlint-disable-next-line eslint/no-console -- skipped tests are easily overlooked
if (LACKS_BROWSER) console.warn("SKIPPED: Chromium is not installed.");

describe.skipIf(LACKS_BROWSER)("/settings/workloads in a browser", () => {
  let world: PageWorld;
  let browser: Browser;
  let issuer: TestIssuer;
  const complaints: string[] = [];

  beforeAll(async () => {
    world = await openPageWorld({ OUTBOUND_ALLOW: "127.0.0.0/8" });
    browser = await openBrowser();
    issuer = await startIssuer();
  });

  afterAll(async () => {
    await browser.close();
    await issuer.close();
    await world.close();
  });

  afterEach(() => expect(complaints.splice(0)).toEqual([]));

  it.each([
    ["a desktop", {}],
    ["a phone", PHONE],
  ])("trusts an issuer, shows its use, changes and deletes it on %s, by keyboard", async (_what, options) => {
    const { email, password } = await world.person();
    const page = await openWindow(browser, complaints, options);
    await page.goto(`${world.server.url}/settings/workloads`);
    await page.getByLabel("Email").fill(email);
    await page.keyboard.press("Enter");
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Trust an issuer" }).waitFor();
    await page.getByRole("link", { name: "GitHub Actions" }).focus();
    await page.keyboard.press("Enter");
    expect(await page.getByLabel("Issuer", { exact: true }).inputValue()).toContain(
      "token.actions.githubusercontent.com",
    );
    await expectAccessible(page);
    await page.getByLabel("Name", { exact: true }).fill("Shop");
    await page.getByLabel("Acts as agent", { exact: true }).fill("primary");
    await page.getByLabel("Issuer", { exact: true }).fill(issuer.url);
    await page.getByLabel("Audience", { exact: true }).fill(AUDIENCE);
    await page.getByLabel("Claims", { exact: true }).fill("sub=*");
    await page.getByLabel("tasks:read", { exact: true }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Trust issuer" }).press("Enter");
    await page.getByText("does not begin with *").first().waitFor();
    expect(await page.getByLabel("Issuer", { exact: true }).inputValue()).toBe(issuer.url);
    await page.getByLabel("Claims", { exact: true }).fill("sub=repo:acme/shop:*");
    await page.getByRole("button", { name: "Trust issuer" }).press("Enter");
    await page.getByText("The issuer is trusted.").waitFor();
    await expectAccessible(page);
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(width[0]).toBeLessThanOrEqual(width[1] ?? 0);
    const id = await page.locator("tbody code").first().innerText();
    const { body } = await exchangeAt(world.server.url)(id, await issuer.sign());
    const workload = createTestClient(world.server.url, body.access_token);
    expect((await workload.get("/api/v1/tasks")).status).toBe(200);
    await page.getByRole("link", { name: "Shop" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("agents:read", { exact: true }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("The trust has been saved.").waitFor();
    await expectAccessible(page);
    expect((await workload.get("/api/v1/tasks")).status).toBe(401);
    const again = await exchangeAt(world.server.url)(id, await issuer.sign());
    const renewed = createTestClient(world.server.url, again.body.access_token);
    expect((await renewed.get("/api/v1/agents")).status).toBe(200);
    await page.getByText("Delete trust").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Delete now" }).press("Enter");
    await page.getByText("The trust is deleted").waitFor();
    expect((await renewed.get("/api/v1/tasks")).status).toBe(401);
    await page.context().close();
  });
});
