import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../support/browser.ts";
import { buildDashboard } from "../support/build-dashboard.ts";
import { createTestClient } from "../support/test-client.ts";
import type { TestPerson } from "../support/people.ts";
import { type PageWorld, linkIn, openPageWorld } from "./support/page-world.ts";
import { fillLogIn } from "../support/fill-log-in.ts";

const NEW = "another shore at dusk";
const PHONE = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };

// oxlint-disable-next-line eslint/no-console -- skipped tests are easily overlooked
if (LACKS_BROWSER) console.warn("SKIPPED: Chromium is not installed, so pages are not tested in a browser.");

describe.skipIf(LACKS_BROWSER)("in a browser", () => {
  let world: PageWorld;
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    await buildDashboard();
    world = await openPageWorld();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  afterEach(() => expect(complaints.splice(0)).toEqual([]));

  function open(path: string): string {
    return world.server.url + path;
  }

  /** A window of a logged-in user. */
  async function enter(role: "owner" | "viewer" = "owner"): Promise<{ page: Page; person: TestPerson }> {
    const person = await world.person(role);
    const page = await openWindow(browser, complaints);
    await page.goto(open("/settings"));
    await fillLogIn(page, person);
    await page.waitForURL(open("/settings"));
    return { page, person };
  }

  function heading(page: Page): Promise<string> {
    return page.getByRole("heading", { level: 1 }).innerText();
  }

  it("shows errors, logs in and logs out", async () => {
    const person = await world.person();
    const page = await openWindow(browser, complaints);
    await page.goto(open("/settings/members"));
    expect(new URL(page.url()).pathname).toBe("/users/log-in");
    await fillLogIn(page, { email: person.email, password: "wrong" });
    expect(await page.getByRole("alert").innerText()).toBe("Invalid email or password");
    expect(
      await page.getByRole("alert").evaluate((alert) => alert === alert.ownerDocument.activeElement),
    ).toBe(true);
    await page.getByText(person.email, { exact: true }).waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel("Password").inputValue()).toBe("");
    await page.getByLabel("Password").fill(person.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(open("/settings/members"));
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: /, menu$/ }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByText("You have been logged out.").waitFor();
    await page.goto(open("/settings"));
    expect(await heading(page)).toBe("Log in");
    await page.context().close();
  });

  it("stays logged in after a browser restart only if requested", async () => {
    const person = await world.person();
    for (const remembers of [true, false]) {
      const page = await openWindow(browser, complaints);
      await page.goto(open("/settings"));
      if (remembers) await page.getByLabel("Stay logged in").check();
      await fillLogIn(page, person);
      await page.waitForURL(open("/settings"));
      // A browser keeps only cookies with an expiry.
      const cookies = (await page.context().cookies()).filter(({ expires }) => expires > 0);
      expect(cookies.map(({ name }) => name)).toEqual(remembers ? ["_agent_ops_web_user_remember_me"] : []);
      await page.context().close();
      const again = await openWindow(browser, complaints, { storageState: { cookies, origins: [] } });
      await again.goto(open("/settings"));
      expect(await heading(again)).toBe(remembers ? "Profile" : "Log in");
      expect((await again.context().cookies()).some(({ name }) => name === "_agent_ops_key")).toBe(remembers);
      await again.context().close();
    }
  });

  it("resets a password by the mailed link, which ends every session", async () => {
    const { page: other, person } = await enter();
    const page = await openWindow(browser, complaints);
    await page.goto(open("/users/log-in"));
    await page.getByLabel("Email").fill(person.email);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("Email").fill(person.email);
    await page.getByRole("button", { name: "Send reset link" }).click();
    expect(await heading(page)).toBe("Check your inbox");
    await expectAccessible(page);
    const link = open(linkIn(await world.findEmail(person.email, /password/i), "/users/reset-password/"));
    await page.goto(link);
    await expectAccessible(page);
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByLabel("Repeat new password").fill("short");
    await page.getByRole("button", { name: "Change password" }).click();
    await expectAccessible(page);
    await page.getByRole("alert").getByRole("link").first().click();
    expect(await page.getByLabel("New password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("New password", { exact: true }).fill(NEW);
    await page.getByLabel("Repeat new password").fill(NEW);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your password has been changed.").waitFor();
    await fillLogIn(page, { email: person.email, password: NEW });
    await page.waitForURL(open("/"));
    await other.reload();
    expect(await heading(other)).toBe("Log in");
    await page.goto(link);
    expect(await heading(page)).toBe("This link is no longer valid.");
    await page.context().close();
    await other.context().close();
  });

  it("changes the profile and the password, and logs other browsers out", async () => {
    const { page, person } = await enter("viewer");
    await page.getByLabel("Name").fill("Ada Lovelace");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your profile has been saved.").waitFor();
    const other = await world.logIn(person);
    await page.getByRole("link", { name: "Security" }).click();
    expect(await page.getByRole("row").count()).toBe(3);
    await page.getByRole("button", { name: /^Log out of/ }).click();
    await page.getByText("That browser has been logged out.").waitFor();
    expect((await other.get("/settings")).status).toBe(303);
    const third = await world.logIn(person);
    await page.getByRole("link", { name: "Password" }).click();
    await page.getByLabel("Current password").fill(person.password);
    await page.getByLabel("New password", { exact: true }).fill(NEW);
    await page.getByLabel("Repeat new password").fill(NEW);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your password has been changed.").waitFor();
    expect((await third.get("/settings")).status).toBe(303);
    await page.context().close();
  });

  it("invites a member, who accepts and logs in", async () => {
    const { page } = await enter();
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("link", { name: "Invite member" }).click();
    await page.getByLabel("Email").fill("grace@example.com");
    await page.getByLabel("Operator").check();
    await page.getByRole("button", { name: "Create invitation link" }).click();
    const link = await page.getByRole("textbox", { name: "Invitation link" }).innerText();
    await expectAccessible(page);
    await page.getByRole("link", { name: "I have copied it" }).click();
    const invited = await openWindow(browser, complaints);
    await invited.goto(link);
    await expectAccessible(invited);
    await invited.getByLabel("Your name").fill("Grace Hopper");
    await invited.getByLabel("New password", { exact: true }).fill(NEW);
    await invited.getByLabel("Repeat new password").fill(NEW);
    await invited.getByRole("button", { name: "Join the workspace" }).click();
    await fillLogIn(invited, { email: "grace@example.com", password: NEW });
    await invited.waitForURL(open("/"));
    await page.reload();
    await page.getByRole("link", { name: "Grace Hopper" }).click();
    await page.getByText("Suspend", { exact: true }).click();
    await page.getByRole("button", { name: "Suspend member" }).click();
    await page.getByText("The member has been suspended").waitFor();
    await invited.reload();
    expect(await heading(invited)).toBe("Log in");
    await page.context().close();
    await invited.context().close();
  });

  it("creates an API key after the password was confirmed, and REST takes it until it is revoked", async () => {
    const { page, person } = await enter();
    await world.endSudo(person);
    await page.goto(open("/settings/api-keys"));
    await page.getByRole("link", { name: "Create key" }).click();
    expect(await heading(page)).toBe("Confirm it's you");
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Continue" }).click();
    expect(await heading(page)).toBe("Create key");
    await page.getByLabel("Name").fill("From the browser");
    await page.getByLabel("tasks:read").check();
    await page.getByRole("button", { name: "Create key" }).click();
    await expectAccessible(page);
    const secret = await page.getByRole("textbox", { name: "From the browser" }).innerText();
    const agent = createTestClient(world.server.url, secret);
    expect((await agent.get("/api/v1/tasks")).status).toBe(200);
    expect((await agent.get("/api/v1/messages")).status).toBe(403);
    await page.getByRole("link", { name: "I have copied it" }).click();
    await expectAccessible(page);
    await page.getByText("Revoke key").click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Revoke now" }).click();
    await page.getByText("tokens it minted have been revoked").waitFor();
    expect((await agent.get("/api/v1/tasks")).status).toBe(401);
    await page.context().close();
  });

  it("rotates the SCIM token", async () => {
    const { page } = await enter();
    await page.getByRole("link", { name: "SCIM" }).click();
    const before = await page.getByRole("row").count();
    await page.getByLabel("Name").fill("Okta");
    await page.getByRole("button", { name: "Rotate token" }).click();
    expect(await page.getByRole("textbox", { name: "SCIM token" }).innerText()).toMatch(/^agp_/);
    await page.getByRole("link", { name: "I have copied it" }).click();
    expect(await page.getByRole("row").count()).toBe(before + 1);
    await expectAccessible(page);
    await page.context().close();
  });

  it("runs no injected script and can't be framed", async () => {
    const { page } = await enter();
    const found: string[] = [];
    const window = page.context();
    await window.exposeFunction("found", (what: string) => void found.push(what));
    await page.evaluate(`
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => found(effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "found('it ran')";
      document.body.append(script);
      document.body.insertAdjacentHTML("beforeend", "<p style='color: red'>x</p><img src='https://example.com/x.png'>");
    `);
    await expect
      .poll(() => new Set(found))
      .toEqual(new Set(["script-src-elem", "style-src-attr", "img-src"]));
    complaints.length = 0;
    const outside = await openWindow(browser, complaints);
    await outside.setContent(`<iframe src="${open("/users/log-in")}"></iframe>`);
    await expect.poll(() => complaints.join()).toMatch(/frame-ancestors|X-Frame-Options/);
    complaints.length = 0;
    await outside.context().close();
    await window.close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])(
    "is accessible in light and dark mode, %s",
    async (_size, options) => {
      const { page, person } = await enter();
      await world.agent.post("/api/v1/agent_tokens", { name: "Nightly" });
      await world.agent.post("/api/v1/socket_tokens", {});
      const state = await page.context().storageState();
      const outside = await openWindow(browser, complaints, options);
      for (const path of [
        "/users/log-in",
        "/users/forgot-password",
        "/users/reset-password/x",
        "/users/invitation/x",
        "/users/confirm-email/x",
        "/users/nowhere",
      ]) {
        await outside.goto(open(path));
        await expectAccessible(outside);
      }
      await page.goto(open("/settings/api-keys"));
      const key = (await page.getByRole("rowheader").getByRole("link").first().getAttribute("href")) ?? "";
      const inside = await openWindow(browser, complaints, { ...options, storageState: state });
      for (const path of [
        ...[
          "/settings",
          "/settings/password",
          "/settings/email",
          "/settings/security",
          "/settings/workspace",
        ],
        ...[
          "/settings/members",
          "/settings/members/invite",
          `/settings/members/${person.id}`,
          "/settings/groups",
          "/settings/audit",
        ],
        ...["/settings/audit?action=x&since=y", "/settings/api-keys", "/settings/api-keys/new", key],
        ...["/settings/agent-tokens", "/settings/socket-tokens", "/settings/scim", "/users/confirm-password"],
      ]) {
        await inside.goto(open(path));
        await expectAccessible(inside);
      }
      for (const window of [page, outside, inside]) await window.context().close();
    },
    120_000,
  );
});
