import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  FACTOR_ENVIRONMENT,
  addTestFactor,
  makeCode,
  makeWrongCode,
  takeCode,
} from "../../support/second-factor.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";
import { getElementText, openVisitor } from "../support/test-visitor.ts";

const SECURITY = "/settings/security";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld(FACTOR_ENVIRONMENT);
});

afterAll(() => world.close());

function readHidden(text: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";
}

function readSecret(text: string): string {
  return (/<code class="secret"[^>]*\s*>([A-Z2-7 ]+)<\/code/.exec(text)?.[1] ?? "").replaceAll(" ", "");
}

describe("/settings/security", () => {
  it("adds an authenticator app by its code, and shows the recovery codes once", async () => {
    const browser = await world.enter("viewer");
    expect((await browser.get(SECURITY)).text).toContain("Not set up");
    const begun = await browser.submit(SECURITY, { act: "begin-app" });
    expect(getElementText(begun, "h1")).toBe("Set up an authenticator app");
    expect(begun.text).toContain('aria-label="QR code for your authenticator app"');
    const [secret, setup] = [readSecret(begun.text), readHidden(begun.text, "setup")];
    const refused = await browser.submit(SECURITY, { act: "add-app", setup, code: makeWrongCode(secret) });
    expect(refused.status).toBe(422);
    expect(readSecret(refused.text)).toBe(secret);
    const added = await browser.submit(SECURITY, { act: "add-app", setup, code: makeCode(secret) });
    expect(added.text.match(/<code>[a-z2-7-]{19}<\/code>/g)).toHaveLength(10);
    const page = await browser.get(SECURITY);
    expect(page.text).toContain("10 left");
    expect(page.text).not.toMatch(/<code>[a-z2-7-]{19}<\/code>/);
    await world.findEmail(browser.person.email, /second factor was added/);
  });

  it("makes new recovery codes, and removes the app", async () => {
    const browser = await world.enter("viewer");
    const begun = await browser.submit(SECURITY, { act: "begin-app" });
    const [secret, setup] = [readSecret(begun.text), readHidden(begun.text, "setup")];
    await browser.submit(SECURITY, { act: "add-app", setup, code: makeCode(secret) });
    const renewed = await browser.submit(SECURITY, { act: "renew-codes" });
    expect(renewed.text.match(/<code>[a-z2-7-]{19}<\/code>/g)).toHaveLength(10);
    expect((await browser.submit(SECURITY, { act: "remove-app" })).location).toBe(
      `${SECURITY}?notice=removed`,
    );
    expect((await browser.get(SECURITY)).text).toContain("Not set up");
  });

  it("asks to confirm who it is, with a code of the factor", async () => {
    const factor = await addTestFactor(world.server, await world.person());
    const browser = openVisitor(world.server.url);
    browser.cookies.set("_agent_ops_key", factor.token);
    await world.endSudo(factor.person);
    expect((await browser.get(SECURITY)).text).not.toContain("remove-app");
    const interrupted = await browser.submit(SECURITY, { act: "remove-app" });
    expect(interrupted.status).toBe(403);
    const path = "/users/confirm-password";
    expect((await browser.get(path)).text).toMatch(/name="code"[^>]* required/);
    const { password } = factor.person;
    const alone = await browser.submit(path, { password, return_to: SECURITY });
    expect(alone.status).toBe(422);
    expect(alone.text).toContain("The code is required: you have a second factor.");
    const code = await takeCode(world.server, factor);
    expect((await browser.submit(path, { password, code, return_to: SECURITY })).location).toBe(SECURITY);
    expect((await browser.submit(SECURITY, { act: "remove-app" })).location).toBe(
      `${SECURITY}?notice=removed`,
    );
  });

  it("refuses a setup that is not its own, and unknown acts", async () => {
    const browser = await world.enter("viewer");
    for (const fields of [
      { act: "add-app", setup: "v1.x", code: "123456" },
      { act: "x" },
      { act: "renew-codes" },
    ]) {
      expect((await browser.submit(SECURITY, fields)).status).toBeGreaterThanOrEqual(409);
    }
  });
});

describe("/settings/members", () => {
  it("says who has a second factor, and lets owners remove it", async () => {
    const factor = await addTestFactor(world.server, await world.person("viewer"));
    const admin = await world.enter("admin");
    const path = `/settings/members/${factor.person.id}`;
    expect((await admin.get(`/settings/members?query=${factor.person.email}`)).text).toContain("Yes");
    expect((await admin.get(path)).text).not.toContain("remove-factors");
    expect((await admin.submit(path, { act: "remove-factors" })).status).toBe(403);
    const owner = await world.enter("owner");
    expect((await owner.get(path)).text).toContain("remove-factors");
    expect((await owner.submit(path, { act: "remove-factors" })).location).toBe(
      `${path}?notice=factors-removed`,
    );
    await world.logIn(factor.person);
    await world.findEmail(factor.person.email, /second factors were removed/);
  });
});
