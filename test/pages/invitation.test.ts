import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageWorld, linkIn, openPageWorld } from "./support/page-world.ts";
import { type TestVisitor, openVisitor, getElementText } from "./support/test-visitor.ts";

const PASSWORD = "another shore at dusk";

let world: PageWorld;
let admin: TestVisitor;
let email: string;
let path: string;
let made = 0;

beforeAll(async () => {
  world = await openPageWorld();
  admin = await world.enter();
});

afterAll(() => world.close());

beforeEach(async () => {
  email = `invited-${made++}@example.com`;
  const answer = await admin.submit("/settings/members/invite", { email, name: "", role: "OPERATOR" });
  expect(answer.status).toBe(200);
  path = linkIn(await world.findEmail(email, /invit/i), "/users/invitation/");
});

function visitor() {
  return openVisitor(world.server.url);
}

const TYPED = { "user[name]": "Grace", "user[password]": PASSWORD, "user[password_confirmation]": PASSWORD };

describe("/users/invitation/:token", () => {
  it("shows the workspace and email without using up the link", async () => {
    for (let look = 0; look < 3; look++) {
      const page = await visitor().get(path);
      expect({ status: page.status, heading: getElementText(page, "h1") }).toEqual({
        status: 200,
        heading: "Join Test workspace",
      });
      expect(page.text).toContain(email);
    }
    expect((await visitor().submit(path, TYPED)).status).toBe(303);
  });

  it("creates the account, which can then log in", async () => {
    const answer = await visitor().submit(path, TYPED);
    expect(answer.location).toBe("/users/log-in?notice=welcome");
    const member = await world.logIn({ email, password: PASSWORD });
    expect((await member.get("/settings")).text).toContain("Grace");
    expect(getElementText(await visitor().get(path), "h1")).toBe("This invitation is no longer valid.");
    expect(getElementText(await visitor().submit(path, TYPED), "h1")).toBe(
      "This invitation is no longer valid.",
    );
  });

  it("keeps the entered name if the password is rejected", async () => {
    const refused = await visitor().submit(path, { ...TYPED, "user[password]": "short" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="Grace"');
    expect(refused.text).not.toContain(PASSWORD);
    expect((await visitor().submit(path, TYPED)).status).toBe(303);
  });

  it("ends the browser's session", async () => {
    const somebody = await world.enter();
    const session = somebody.cookies.get("_agent_ops_key") ?? "";
    await somebody.submit(path, TYPED);
    const old = await visitor().get("/settings", { cookie: `_agent_ops_key=${session}` });
    expect(old.status).toBe(303);
  });

  it("is a dead end for an unknown token, and rejects other methods", async () => {
    expect(getElementText(await visitor().get("/users/invitation/unknown"), "h1")).toBe(
      "This invitation is no longer valid.",
    );
    expect((await visitor().send(path, { method: "PUT" })).status).toBe(405);
  });
});
