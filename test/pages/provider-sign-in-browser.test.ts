import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../support/browser.ts";
import { buildDashboard } from "../support/build-dashboard.ts";
import { type CertifiedProvider, startCertifiedProvider } from "../support/certified-provider.ts";
import { createPerson } from "../support/people.ts";
import { SIGN_IN_ENVIRONMENT, useIssuer } from "../support/sign-in-world.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";

const PHONE = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };

describe.skipIf(LACKS_BROWSER)("sign-in at a certified provider, in a browser", () => {
  let world: PageWorld;
  let browser: Browser;
  let provider: CertifiedProvider;
  let email: string;

  beforeAll(async () => {
    await buildDashboard();
    world = await openPageWorld(SIGN_IN_ENVIRONMENT);
    const name = `ada-${crypto.randomUUID()}`;
    const ctx = world.server.systemCtx(world.workspaceId);
    email = `${name}@certified.example`;
    provider = await startCertifiedProvider({ site: world.server.url, email });
    const domain = await useIssuer(ctx, provider);
    await world.server.database.query(
      "UPDATE sign_in_domain SET domain = 'certified.example' WHERE domain = $1",
      [domain],
    );
    await createPerson(world.server, world.workspaceId, { email, role: "admin" });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await provider.close();
    await world.close();
  });

  it("leads there and back, and confirms there what needs a recent password", async () => {
    const complaints: string[] = [];
    const page = await openWindow(browser, complaints, PHONE);
    await page.goto(`${world.server.url}/settings/scim`);
    await expectAccessible(page);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Continue" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Continue with your company's account" }).click();
    await page.getByRole("button", { name: "I am Ada" }).click();
    await page.waitForURL(`${world.server.url}/settings/scim`);
    await world.server.database.query(
      "UPDATE users_tokens SET authenticated_at = authenticated_at - interval '21 minutes'",
    );
    await page.goto(`${world.server.url}/users/confirm-password?return_to=/settings/workspace`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Confirm with your company's account" }).click();
    await page.getByRole("button", { name: "I am Ada" }).click();
    await page.waitForURL(`${world.server.url}/settings/workspace`);
    await page.goto(`${world.server.url}/settings/sign-in`);
    await page.getByLabel("Domain").fill(`${"long-".repeat(10)}name.example`);
    await page.getByRole("button", { name: "Add domain" }).click();
    await page.waitForURL(`${world.server.url}/settings/sign-in?notice=added`);
    await expectAccessible(page);
    await page.goto(`${world.server.url}/settings/workspace`);
    expect(await page.getByRole("button", { name: "Save" }).first().isEnabled()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("logs out there who logs out here, and here who logs out there", async () => {
    const complaints: string[] = [];
    const page = await openWindow(browser, complaints, PHONE);
    async function signIn(): Promise<void> {
      await page.goto(`${world.server.url}/settings/security`);
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Continue with your company's account" }).click();
      await page.getByRole("button", { name: "I am Ada" }).click();
      await page.waitForURL(`${world.server.url}/settings/security`);
    }
    await signIn();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: /, menu$/ }).click();
    await page.getByRole("button", { name: "Log out", exact: true }).click();
    await page.getByRole("button", { name: "Log out here" }).click();
    await page.waitForURL(`${world.server.url}/users/log-in?notice=logged-out`);
    await signIn();
    await page.goto(`${provider.url}/session/end`);
    await page.getByRole("button", { name: "Log out here" }).click();
    await page.waitForURL(`${provider.url}/session/end/success*`);
    await page.goto(`${world.server.url}/settings/security`);
    await page.waitForURL(`${world.server.url}/users/log-in?*`);
    expect(complaints).toEqual([]);
  });
});
