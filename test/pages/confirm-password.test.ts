import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { openVisitor, getElementText } from "./support/test-visitor.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld();
});

afterAll(() => world.close());

/** A user who entered their password more than 20 minutes ago. */
async function enterWithoutSudo() {
  const browser = await world.enter();
  await world.endSudo(browser.person);
  return browser;
}

describe("/users/confirm-password", () => {
  it("is shown for pages that require it, and returns there", async () => {
    const browser = await enterWithoutSudo();
    for (const path of ["/settings/members/invite", "/settings/api-keys/new"]) {
      const confirmPath = `/users/confirm-password?return_to=${encodeURIComponent(path)}`;
      expect((await browser.get(path)).location).toBe(confirmPath);
      expect((await browser.get(confirmPath)).text).toContain(`name="return_to" value="${path}"`);
    }
    const fields = { password: browser.person.password, return_to: "/settings/api-keys/new" };
    expect((await browser.submit("/users/confirm-password", fields)).location).toBe("/settings/api-keys/new");
    expect((await browser.get("/settings/api-keys/new")).status).toBe(200);
  });

  it("replaces forms that would be rejected", async () => {
    const browser = await enterWithoutSudo();
    for (const path of [
      "/settings/email",
      "/settings/scim",
      "/settings/workspace",
      `/settings/members/${browser.person.id}`,
    ]) {
      const link = `/users/confirm-password?return_to=${encodeURIComponent(path)}`;
      expect((await browser.get(path)).text).toContain(`href="${link}"`);
    }
  });

  it("interrupts an action, which can then be repeated", async () => {
    const browser = await enterWithoutSudo();
    const act = { email: "later@example.com", name: "", role: "VIEWER" };
    const interrupted = await browser.submit("/settings/members/invite", act);
    expect(interrupted.status).toBe(403);
    expect(getElementText(interrupted, "h1")).toBe("Confirm it's you");
    expect(interrupted.text).toContain('name="return_to" value="/settings/members/invite"');
    const { password } = browser.person;
    await browser.submit("/users/confirm-password", { password, return_to: "/settings/members/invite" });
    const done = await browser.submit("/settings/members/invite", act);
    expect(done.status).toBe(200);
    expect(done.text).toContain("/users/invitation/");
  });

  it("rejects a wrong password, and after ten every password", async () => {
    const browser = await enterWithoutSudo();
    const fields = { password: "wrong", return_to: "/settings/email" };
    for (let attempt = 0; attempt < 10; attempt++) {
      const refused = await browser.submit("/users/confirm-password", fields);
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('name="return_to" value="/settings/email"');
      expect(refused.text).toContain("The password is wrong.");
      expect(refused.text).not.toContain('value="wrong"');
    }
    const right = { ...fields, password: browser.person.password };
    expect((await browser.submit("/users/confirm-password", right)).status).toBe(429);
    expect((await browser.get("/settings/api-keys/new")).status).toBe(303);
  });

  it("never returns to another site", async () => {
    const browser = await enterWithoutSudo();
    const { password } = browser.person;
    const answer = await browser.submit("/users/confirm-password", { password, return_to: "//evil.example" });
    expect(answer.location).toBe("/");
  });

  it("requires a session", async () => {
    const visitor = openVisitor(world.server.url);
    expect((await visitor.get("/users/confirm-password")).location).toBe(
      "/users/log-in?return_to=%2Fusers%2Fconfirm-password",
    );
    expect((await visitor.submit("/users/confirm-password", {})).status).toBe(303);
  });
});
