import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../support/browser.ts";
import { buildDashboard } from "../support/build-dashboard.ts";
import type { TestPerson } from "../support/people.ts";
import { FACTOR_ENVIRONMENT } from "../support/second-factor.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { fillLogIn } from "../support/fill-log-in.ts";

const PHONE = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };
const SECURITY = "/settings/security";

describe.skipIf(LACKS_BROWSER)("passkeys, in a browser with an authenticator", () => {
  let world: PageWorld;
  let browser: Browser;
  let site: string;
  let person: TestPerson;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    await buildDashboard();
    const port = await findPort();
    site = `http://localhost:${port}`;
    world = await openPageWorld({ ...FACTOR_ENVIRONMENT, PORT: String(port), PUBLIC_BASE_URL: site });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  beforeEach(async () => {
    person = await world.person();
    complaints = [];
    page = await openWindow(browser, complaints, PHONE);
    await addAuthenticator(page);
    await enterPassword();
    await page.waitForURL(`${site}${SECURITY}`);
  });

  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  async function enterPassword(): Promise<void> {
    await page.goto(`${site}/users/log-in?return_to=${SECURITY}`);
    await fillLogIn(page, person);
  }

  async function addPasskey(): Promise<void> {
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await expectAccessible(page);
    await page.getByLabel("Name").fill("My phone");
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.getByRole("link", { name: "I have kept them" }).click();
    await page.getByRole("rowheader", { name: "My phone" }).waitFor();
    await expectAccessible(page);
  }

  async function logOut(): Promise<void> {
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: /, menu$/ }).click();
    await page.getByRole("button", { name: "Log out", exact: true }).click();
    await page.waitForURL(/log-in/);
  }

  it("log in without a password, and return", async () => {
    await addPasskey();
    await logOut();
    await page.goto(`${site}/users/log-in?return_to=${SECURITY}`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`${site}${SECURITY}`);
    await page.getByRole("button", { name: "Remove My phone" }).click();
    await page.getByText("Your passkey has been removed.").waitFor();
  });

  it("take the place of a code after the password, and confirm who it is", async () => {
    await addPasskey();
    await logOut();
    await enterPassword();
    await page.waitForURL(`${site}/users/log-in/verify`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
    await page.getByRole("heading", { name: "Use your passkey" }).waitFor();
    await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
    await page.waitForURL(`${site}${SECURITY}`);
    await world.endSudo(person);
    await page.goto(`${site}/users/confirm-password?return_to=/settings/scim`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.locator("form[data-passkey]").waitFor();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`${site}/settings/scim`);
  });

  it("are refused in words when the browser has none, and the form can be sent again", async () => {
    await logOut();
    await page.goto(`${site}/users/log-in`);
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("The passkey could not be used, or you canceled it. Try again.").waitFor();
    expect(await page.getByRole("button", { name: "Use a passkey" }).isEnabled()).toBe(true);
  });
});

/** A port that is free now: the page's address must be known before the server starts. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Gives a page an authenticator that verifies its person at once. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return devtools;
}
