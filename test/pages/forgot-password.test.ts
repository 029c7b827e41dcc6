import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { type VisitedPage, openVisitor } from "./support/test-visitor.ts";

const PANEL =
  "If an account exists for that address, we have sent a link to reset its password. The link works once and expires in 60 minutes.";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld({ TRUSTED_PROXIES: "127.0.0.1" });
});

afterAll(() => world.close());

let made = 0;

/** Requests a link from an IP address of its own. */
function ask(email: string, ip = `10.9.${made++ % 256}.1`) {
  return openVisitor(world.server.url).submit(
    "/users/forgot-password",
    { "user[email]": email },
    { "x-forwarded-for": ip },
  );
}

/** A response without the parts that differ in every response. */
function pickComparable({ status, headers, text }: VisitedPage) {
  const kept = [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return { status, headers: kept, text };
}

describe("GET /users/forgot-password", () => {
  it("is a form", async () => {
    const page = await openVisitor(world.server.url).get("/users/forgot-password");
    expect(page.status).toBe(200);
    expect(page.text).toContain('name="user[email]"');
  });

  it("redirects logged-in users to the start page", async () => {
    const browser = await world.enter();
    expect((await browser.get("/users/forgot-password")).location).toBe("/");
    expect((await browser.submit("/users/forgot-password", {})).location).toBe("/");
  });
});

describe("POST /users/forgot-password", () => {
  it("returns the same bytes for every address", async () => {
    const known = await world.person();
    const suspended = await world.person();
    await world.server.database.query('UPDATE "user" SET suspended_at = now() WHERE id = $1', [suspended.id]);
    const first = pickComparable(await ask(known.email));
    expect(first.status).toBe(200);
    expect(first.text.replaceAll(/\s+/g, " ")).toContain(PANEL);
    for (const email of [
      suspended.email,
      "nobody@example.com",
      "",
      "no address",
      `"><b>@x.y`,
      "nul\0@x.y",
      "x".repeat(9000),
    ]) {
      expect(pickComparable(await ask(email))).toEqual(first);
    }
    const none = await openVisitor(world.server.url).submit("/users/forgot-password", {});
    expect(pickComparable(none)).toEqual(first);
  });

  it("returns the same page when throttled", async () => {
    const { email } = await world.person();
    const first = pickComparable(await ask(email));
    for (let request = 0; request < 7; request++) expect(pickComparable(await ask(email))).toEqual(first);
    for (let request = 0; request < 12; request++) {
      expect(pickComparable(await ask(`nobody-${request}@example.com`, "10.200.0.1"))).toEqual(first);
    }
    const noted = await world.server.database.query<{ email: string }>(
      "SELECT email FROM reset_request WHERE email LIKE 'nobody-%'",
    );
    expect(noted.length).toBeLessThanOrEqual(10);
  });

  it("echoes nothing and sets no cookie", async () => {
    const answer = await ask("someone.special@example.com");
    expect(answer.text).not.toContain("someone.special");
    expect(JSON.stringify([...answer.headers])).not.toContain("someone.special");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it("sends a link to this server, whatever Host the request has", async () => {
    const { email } = await world.person();
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    await openVisitor(world.server.url).submit("/users/forgot-password", { email }, headers);
    const message = await world.findEmail(email, /password/i);
    expect(message.text).toContain(`${world.server.url}/users/reset-password/`);
    expect(message.text + message.html).not.toContain("evil.example");
  });

  it("rejects other media types, too long bodies and other methods", async () => {
    const visitor = openVisitor(world.server.url);
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect((await visitor.send("/users/forgot-password", json)).status).toBe(415);
    expect((await visitor.submit("/users/forgot-password", { email: "x".repeat(17_000) })).status).toBe(413);
    expect((await visitor.send("/users/forgot-password", { method: "PUT" })).status).toBe(405);
  });
});
