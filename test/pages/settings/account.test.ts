import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeDevice } from "../../../src/pages/settings/security/describe-device.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";
import { openVisitor } from "../support/test-visitor.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld();
});

afterAll(() => world.close());

describe("/settings", () => {
  it("changes the user's name", async () => {
    const browser = await world.enter("viewer");
    expect((await browser.submit("/settings", { name: " Ada <Lovelace> " })).location).toBe(
      "/settings?notice=saved",
    );
    const page = await browser.get("/settings?notice=saved");
    expect(page.text).toContain('value="Ada &lt;Lovelace&gt;"');
    expect(page.text).toContain("Your profile has been saved.");
  });

  it("rejects a name that is too long, and keeps it in the form", async () => {
    const browser = await world.enter("viewer");
    const name = "x".repeat(101);
    const refused = await browser.submit("/settings", { name });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`value="${name}"`);
    expect(refused.text).toContain("Name must have at most 100 characters.");
    expect((await browser.submit("/settings", { name: "a\0b" })).status).toBe(422);
  });

  it("ignores unknown notices", async () => {
    const browser = await world.enter("viewer");
    expect((await browser.get("/settings?notice=<b>x")).text).not.toContain('role="status"');
    expect((await browser.get("/settings?notice=constructor")).text).not.toContain('role="status"');
  });
});

describe("/settings/password", () => {
  const NEW = "another shore at dusk";

  it("changes the password, keeps this session and ends all others", async () => {
    const browser = await world.enter("operator");
    const other = await world.logIn(browser.person);
    const before = browser.cookies.get("_agent_ops_key");
    const fields = { current_password: browser.person.password, password: NEW, password_confirmation: NEW };
    const answer = await browser.submit("/settings/password", fields);
    expect(answer.location).toBe("/settings/password?notice=changed");
    expect(browser.cookies.get("_agent_ops_key")).not.toBe(before);
    expect((await browser.get("/settings/password?notice=changed")).status).toBe(200);
    expect((await other.get("/settings")).status).toBe(303);
    await world.logIn({ email: browser.person.email, password: NEW });
  });

  it.each([
    [
      "a wrong password",
      { current_password: "wrong" },
      `currentPassword-error">The current password is wrong.`,
    ],
    [
      "a short one",
      { password: "short", password_confirmation: "short" },
      `newPassword-error">The new password `,
    ],
    [
      "another confirmation",
      { password_confirmation: "something else" },
      `newPasswordConfirmation-error">The repeated password `,
    ],
  ])("rejects %s at its field, and never prefills passwords", async (_what, wrong, error) => {
    const browser = await world.enter("operator");
    const fields = {
      current_password: browser.person.password,
      password: NEW,
      password_confirmation: NEW,
      ...wrong,
    };
    const refused = await browser.submit("/settings/password", fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`id="${error}`);
    expect(refused.text).not.toContain(NEW);
    await world.logIn(browser.person);
  });
});

describe("/settings/security", () => {
  it("lists browsers and logs one out", async () => {
    const browser = await world.enter("viewer");
    const other = openVisitor(world.server.url);
    const { email, password } = browser.person;
    const firefox = {
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    };
    await other.submit("/users/log-in", { email, password }, firefox);
    const page = await browser.get("/settings/security");
    expect(page.text).toContain("Firefox on Linux");
    const id = /name="id" value="([0-9a-f-]{36})"/.exec(page.text)?.[1] ?? "";
    expect((await browser.submit("/settings/security", { act: "revoke", id })).location).toBe(
      "/settings/security?notice=revoked",
    );
    expect((await other.get("/settings")).status).toBe(303);
    expect((await browser.get("/settings")).status).toBe(200);
  });

  it("logs out everywhere else", async () => {
    const browser = await world.enter("viewer");
    const others = [await world.logIn(browser.person), await world.logIn(browser.person)];
    const answer = await browser.submit("/settings/security", { act: "revoke-others" });
    expect(answer.location).toBe("/settings/security?notice=others-revoked");
    for (const other of others) expect((await other.get("/settings")).status).toBe(303);
    expect((await browser.get("/settings")).status).toBe(200);
  });

  it("finds no session of another user and none by a malformed id", async () => {
    const browser = await world.enter("viewer");
    const victim = await world.enter("viewer");
    const [row] = await world.server.database.query<{ id: string }>(
      "SELECT id FROM users_tokens WHERE user_id = $1 AND context = 'session'",
      [victim.person.id],
    );
    expect((await browser.submit("/settings/security", { act: "revoke", id: row?.id ?? "" })).status).toBe(
      404,
    );
    expect((await browser.submit("/settings/security", { act: "revoke", id: "x" })).status).toBe(422);
    expect((await victim.get("/settings")).status).toBe(200);
  });
});

describe("describeDevice", () => {
  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0 Mobile/15E148 Safari/604.1",
      "Chrome on iPhone",
    ],
    [
      "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    ["curl/8.5.0", "curl"],
    ["Something (Windows)", "Unknown browser on Windows"],
    [null, "Unknown browser"],
  ])("calls %j %s", (userAgent, name) => {
    expect(describeDevice(userAgent)).toBe(name);
  });
});
