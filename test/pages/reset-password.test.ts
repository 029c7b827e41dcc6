import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mintLink } from "../../src/auth/emails/mint-link.ts";
import { deactivateUser } from "../../src/domain/users/deactivate-user.ts";
import { deleteUser } from "../../src/domain/users/delete-user.ts";
import { lockUser } from "../../src/domain/users/lock-user.ts";
import { setEmail } from "../../src/domain/users/set-email.ts";
import { unsuspendUser } from "../../src/domain/users/unsuspend-user.ts";
import { resumeWorkspace, suspendWorkspace } from "../../src/domain/workspaces/suspend-workspace.ts";
import type { TestPerson } from "../support/people.ts";
import { type PageWorld, linkIn, openPageWorld } from "./support/page-world.ts";
import { type VisitedPage, openVisitor, getElementText } from "./support/test-visitor.ts";

const NEW = "another shore at dusk";

let world: PageWorld;
let person: TestPerson;
let path: string;

beforeAll(async () => {
  world = await openPageWorld({ TRUSTED_PROXIES: "127.0.0.1" });
  // Another owner, so that the others can be suspended.
  await world.person();
});

afterAll(() => world.close());

let made = 0;

beforeEach(async () => {
  person = await world.person();
  path = await askForLink();
});

async function askForLink(): Promise<string> {
  const headers = { "x-forwarded-for": `10.8.0.${made++}` };
  await visitor().submit("/users/forgot-password", { email: person.email }, headers);
  return linkIn(await world.findEmail(person.email, /password/i), "/users/reset-password/");
}

async function anotherLink(userId: string): Promise<string> {
  const order = { userId, context: "reset_password", sentTo: null, isDue: async () => true } as const;
  return (await mintLink(world.ctx, order))?.path ?? "";
}

/** Changes a user's email address. */
async function moveTo(userId: string, email: string): Promise<void> {
  await world.ctx.transaction(async (tx) => {
    await lockUser(tx, userId);
    await setEmail(tx, userId, email);
  });
}

async function run(statement: string, userId: string): Promise<void> {
  await world.server.database.query(statement, [userId]);
}

function visitor() {
  return openVisitor(world.server.url);
}

function createFields(password = NEW, confirmation = password) {
  return { "user[password]": password, "user[password_confirmation]": confirmation };
}

function expectInvalidLink(page: VisitedPage): void {
  expect({ status: page.status, heading: getElementText(page, "h1") }).toEqual({
    status: 200,
    heading: "This link is no longer valid.",
  });
  expect(page.text).toContain('href="/users/forgot-password"');
}

describe("GET /users/reset-password/:token", () => {
  it("shows the form any number of times without using up the link", async () => {
    for (const method of ["GET", "HEAD", "GET", "HEAD", "GET"]) {
      expect((await visitor().send(path, { method })).status).toBe(200);
    }
    const page = await visitor().get(path);
    expect(page.text).toContain('name="user[password]"');
    expect(page.text).not.toContain(person.email);
    expect((await visitor().submit(path, createFields())).status).toBe(303);
  });

  it("is the same dead end for every invalid token", async () => {
    const invalidPage = await visitor().get(`/users/reset-password/${"A".repeat(43)}`);
    expectInvalidLink(invalidPage);
    for (const token of ["x", "%00", "%ff", "..%2f..", "A".repeat(2000), `${path.split("/").at(-1)}A`]) {
      expect((await visitor().get(`/users/reset-password/${token}`)).text).toBe(invalidPage.text);
    }
  });
});

describe("POST /users/reset-password/:token", () => {
  it("sets the password, clears both cookies and doesn't log in", async () => {
    const browser = await world.logIn(person, { "user[remember_me]": "true" });
    const other = await world.logIn(person);
    const answer = await browser.submit(path, createFields());
    expect({ status: answer.status, location: answer.location }).toEqual({
      status: 303,
      location: "/users/log-in?notice=password-reset",
    });
    expect(browser.cookies.size).toBe(0);
    expect((await other.get("/settings")).status).toBe(303);
    await world.logIn({ email: person.email, password: NEW });
    expect((await visitor().get("/users/log-in?notice=password-reset")).text).toContain(
      "Your password has been changed.",
    );
  });

  it("ends the browser's session", async () => {
    const somebody = await world.enter();
    const session = somebody.cookies.get("_agent_ops_key") ?? "";
    const cookie = `_agent_ops_key=${session}`;
    expect((await visitor().get("/settings", { cookie })).status).not.toBe(303);
    expect((await somebody.submit(path, createFields())).status).toBe(303);
    expect(somebody.cookies.size).toBe(0);
    expect((await visitor().get("/settings", { cookie })).status).toBe(303);
  });

  it("works once", async () => {
    expect((await visitor().submit(path, createFields())).status).toBe(303);
    expectInvalidLink(await visitor().get(path));
    expectInvalidLink(await visitor().submit(path, createFields("a third password, long")));
    await world.logIn({ email: person.email, password: NEW });
  });

  it.each([
    ["a short password", createFields("eleven char"), "password"],
    ["another confirmation", createFields(NEW, `${NEW}!`), "passwordConfirmation"],
    ["nothing", {}, "password"],
  ])("rejects %s at its field, and the link stays valid", async (_what, fields, field) => {
    const refused = await visitor().submit(path, fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(
      new RegExp(`id="${field}"[^>]*aria-describedby="[^"]*${field}-error"[^>]*aria-invalid="true"`),
    );
    expect(refused.text).toContain(`id="${field}-error"`);
    expect(refused.text).toContain(`href="#${field}"`);
    expect(refused.text).not.toContain(NEW);
    expect((await visitor().submit(path, createFields())).status).toBe(303);
  });

  it("also accepts PUT", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(createFields()).toString();
    expect((await visitor().send(path, { method: "PUT", headers, body })).status).toBe(303);
  });

  it("also accepts a form with _method", async () => {
    expect((await visitor().submit(path, { ...createFields(), _method: "put" })).status).toBe(303);
  });

  it("is a dead end for an unknown token, whatever is entered", async () => {
    for (const fields of [createFields(), createFields("short"), {}]) {
      expectInvalidLink(await visitor().submit(`/users/reset-password/${"A".repeat(43)}`, fields));
    }
  });

  it("is a dead end after the user was suspended", async () => {
    const admin = await world.enter();
    const suspended = await admin.submit(`/settings/members/${person.id}`, { act: "suspend" });
    expect(suspended.location).toContain("notice=suspended");
    expectInvalidLink(await visitor().submit(path, createFields()));
    await admin.submit(`/settings/members/${person.id}`, { act: "unsuspend" });
    expectInvalidLink(await visitor().submit(path, createFields()));
  });

  it.each<[string, (person: TestPerson) => Promise<unknown>]>([
    ["used", async () => visitor().submit(path, createFields())],
    [
      "one of two, and the other was used",
      async ({ id }) => visitor().submit(await anotherLink(id), createFields()),
    ],
    [
      "60 minutes old",
      async ({ id }) => run("UPDATE users_tokens SET expires_at = now() WHERE user_id = $1", id),
    ],
    ["for an address that has changed", async ({ id }) => moveTo(id, `moved.${person.email}`)],
    [
      "for an address that has changed back",
      async ({ id, email }) => {
        await moveTo(id, `moved.${email}`);
        await moveTo(id, email);
      },
    ],
    ["of a suspended user", async ({ id }) => deactivateUser(world.ctx, id)],
    [
      "of a reactivated user",
      async ({ id }) => {
        await deactivateUser(world.ctx, id);
        await unsuspendUser(world.ctx, id);
      },
    ],
    ["of a deleted user", async ({ id }) => deleteUser(world.ctx, id)],
    ["of a suspended workspace", async () => suspendWorkspace(world.ctx)],
  ])("is one dead end, to the byte, for a link that is %s", async (_which, dies) => {
    const unknown = await visitor().get(`/users/reset-password/${"A".repeat(43)}`);
    expectInvalidLink(unknown);
    expect(getElementText(await visitor().get(path), "h1")).toBe("Choose a new password");
    await dies(person);
    for (const page of [
      await visitor().get(path),
      await visitor().submit(path, createFields("a third password, long")),
    ]) {
      expect({ status: page.status, text: page.text }).toEqual({ status: 200, text: unknown.text });
      expect(page.headers.getSetCookie()).toEqual([]);
    }
    await resumeWorkspace(world.ctx);
  });

  it("rejects other sites' forms, other media types and other methods", async () => {
    expect((await visitor().submit(path, createFields(), { origin: "null" })).status).toBe(403);
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect((await visitor().send(path, json)).status).toBe(415);
    expect((await visitor().submit(path, createFields("x".repeat(17_000)))).status).toBe(413);
    const deleted = await visitor().send(path, { method: "DELETE" });
    expect({ status: deleted.status, allow: deleted.headers.get("allow") }).toEqual({
      status: 405,
      allow: "GET, HEAD, POST, PUT",
    });
    expect((await visitor().submit(path, createFields())).status).toBe(303);
  });

  it("never logs the token", async () => {
    await visitor().get(path);
    await visitor().submit(path, createFields());
    const token = path.split("/").at(-1) ?? "";
    expect(world.server.logged.join("\n")).not.toContain(token);
    expect(world.server.logged.join("\n")).toContain("/users/reset-password/[redacted]");
  });
});
