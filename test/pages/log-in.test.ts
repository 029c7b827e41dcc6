import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HASHES_AT_ONCE } from "../../src/auth/passwords.ts";
import type { TestPerson } from "../support/people.ts";
import { createPerson } from "../support/people.ts";
import { parseSetCookies } from "../support/people.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { openVisitor, getElementText } from "./support/test-visitor.ts";

const SESSION = "_agent_ops_key";
const REMEMBER_ME = "_agent_ops_web_user_remember_me";

let world: PageWorld;
let person: TestPerson;

beforeAll(async () => {
  world = await openPageWorld();
  person = await world.person();
});

afterAll(() => world.close());

function visitor() {
  return openVisitor(world.server.url);
}

function createFields(fields: Record<string, string> = {}) {
  return { "user[email]": person.email, "user[password]": person.password, ...fields };
}

describe("GET /users/log-in", () => {
  it("asks for the address, with one heading and no script", async () => {
    const page = await visitor().get("/users/log-in");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text.match(/<h1/g)).toHaveLength(1);
    expect(page.text).not.toMatch(/<script|style=|\son[a-z]+=/);
    for (const name of ["user[email]", "user[remember_me]"]) expect(page.text).toContain(`name="${name}"`);
    expect(page.text).not.toContain('type="password"');
  });

  it("redirects logged-in users to the start page", async () => {
    const answer = await (await world.logIn(person)).get("/users/log-in");
    expect({ status: answer.status, location: answer.location }).toEqual({ status: 303, location: "/" });
  });

  it("allows HEAD and no other method", async () => {
    expect((await visitor().send("/users/log-in", { method: "HEAD" })).status).toBe(200);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const refused = await visitor().send("/users/log-in", { method });
      expect(refused.status).toBe(405);
      expect(refused.headers.get("allow")).toBe("GET, HEAD, POST");
      expect(refused.headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
  });
});

describe("POST /users/log-in", () => {
  it("logs in with a session cookie", async () => {
    const answer = await visitor().submit("/users/log-in", createFields());
    expect({ status: answer.status, location: answer.location }).toEqual({ status: 303, location: "/" });
    const set = parseSetCookies(answer);
    expect(Object.keys(set)).toEqual([SESSION]);
    expect(set[SESSION]?.attributes).toEqual(["HttpOnly", "Path=/", "SameSite=Lax"]);
  });

  it("sets the remember-me cookie for exactly 14 days on request", async () => {
    const answer = await visitor().submit("/users/log-in", createFields({ "user[remember_me]": "true" }));
    const set = parseSetCookies(answer);
    expect(set[REMEMBER_ME]?.value).toBe(set[SESSION]?.value);
    expect(set[REMEMBER_ME]?.attributes).toContain("Max-Age=1209600");
    expect(set[SESSION]?.attributes.join()).not.toMatch(/Max-Age|Expires/i);
  });

  it("restores the session after a browser restart", async () => {
    const remembered = await world.logIn(person, { "user[remember_me]": "true" });
    remembered.cookies.delete(SESSION);
    const answer = await remembered.get("/settings");
    expect(answer.status).toBe(200);
    expect(parseSetCookies(answer)[SESSION]?.value).toBe(remembered.cookies.get(REMEMBER_ME));
  });

  it("accepts flat field names too", async () => {
    const { email, password } = person;
    const answer = await visitor().submit("/users/log-in", { email, password, remember_me: "true" });
    expect(answer.status).toBe(303);
    expect(Object.keys(parseSetCookies(answer))).toContain(REMEMBER_ME);
  });

  it("returns the same error for every cause", async () => {
    const suspended = await world.person();
    await world.server.database.query('UPDATE "user" SET suspended_at = now() WHERE id = $1', [suspended.id]);
    const causes = [
      { email: person.email, password: "not the password" },
      { email: suspended.email, password: suspended.password },
      { email: "nobody@example.com", password: "not the password" },
      { email: person.email, password: "" },
      { email: person.email, password: "nul\0" },
    ];
    const bodies = new Set<string>();
    for (const { email, password } of causes) {
      const answer = await visitor().submit(
        "/users/log-in",
        createFields({ "user[email]": email, "user[password]": password }),
      );
      expect(answer.status).toBe(422);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.text).toContain("Invalid email or password");
      bodies.add(answer.text.replaceAll(email, ""));
    }
    expect(bodies.size).toBe(1);
  });

  it("keeps the entered address, escaped, but not the password", async () => {
    const email = `"><img src=x>'&@example.com`;
    const answer = await visitor().submit(
      "/users/log-in",
      createFields({ "user[email]": email, "user[password]": "s3cret-s3cret" }),
    );
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('value="&quot;&gt;&lt;img src=x&gt;&#39;&amp;@example.com"');
    expect(answer.text).not.toContain("s3cret");
  });

  it("shows the error first: it is focused, an alert and in the title", async () => {
    const answer = await visitor().submit("/users/log-in", createFields({ "user[password]": "wrong" }));
    expect(getElementText(answer, "title")).toBe("Error: Log in · Agent Ops");
    expect(answer.text).toMatch(/role="alert" tabindex="-1" autofocus/);
  });

  it.each([
    ["/settings/members?role=ADMIN", "/settings/members?role=ADMIN"],
    ["/", "/"],
    ["", "/"],
    ["//evil.example", "/"],
    [String.raw`/\evil.example`, "/"],
    [String.raw`/a\b`, "/"],
    ["https://evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/\r\nSet-Cookie: a=b", "/"],
    ["/\t/evil.example", "/"],
    ["settings", "/"],
  ])("returns from %j to %s", async (returnTo, location) => {
    const inForm = await visitor().submit("/users/log-in", createFields({ return_to: returnTo }));
    const inAddress = await visitor().submit(
      `/users/log-in?return_to=${encodeURIComponent(returnTo)}`,
      createFields(),
    );
    expect([inForm.location, inAddress.location]).toEqual([location, location]);
    const shown = await visitor().get(`/users/log-in?return_to=${encodeURIComponent(returnTo)}`);
    expect(shown.text).toContain(`name="return_to" value="${location}"`);
  });

  it("ends the browser's previous session", async () => {
    const browser = await world.logIn(person);
    const before = browser.cookies.get(SESSION) ?? "";
    expect((await browser.submit("/users/log-in", createFields())).status).toBe(303);
    expect(browser.cookies.get(SESSION)).not.toBe(before);
    const old = await visitor().get("/settings", { cookie: `${SESSION}=${before}` });
    expect(old.location).toBe("/users/log-in?return_to=%2Fsettings");
  });

  it("never reuses a token sent by the browser", async () => {
    const planted = "A".repeat(43);
    const answer = await visitor().submit("/users/log-in", createFields(), {
      cookie: `${SESSION}=${planted}`,
    });
    expect(parseSetCookies(answer)[SESSION]?.value).not.toBe(planted);
  });

  it("asks for the workspace if the password matches several accounts", async () => {
    const other = await world.another();
    const namesake = await createPerson(world.server, other.workspaceId, {
      email: person.email,
      password: person.password,
    });
    const asked = await visitor().submit("/users/log-in", createFields({ "user[remember_me]": "true" }));
    expect({ status: asked.status, cookies: asked.headers.getSetCookie() }).toEqual({
      status: 200,
      cookies: [],
    });
    expect(asked.text).toContain("match accounts in several workspaces");
    expect(asked.text).not.toContain(person.password);
    const browser = visitor();
    const chosen = await browser.submit("/users/log-in", createFields({ workspace: other.workspaceId }));
    expect(chosen.status).toBe(303);
    const row = await world.server.database.query("SELECT 1 FROM users_tokens WHERE user_id = $1", [
      namesake.id,
    ]);
    expect(row).toHaveLength(1);
    const elsewhere = await visitor().submit(
      "/users/log-in",
      createFields({ workspace: crypto.randomUUID() }),
    );
    expect(elsewhere.status).toBe(422);
    await world.server.database.query('UPDATE "user" SET suspended_at = now() WHERE id = $1', [namesake.id]);
  });

  it.each([
    "application/json",
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/x-www-form-urlencodedx",
  ])("rejects a body of type %s", async (type) => {
    const answer = await visitor().send("/users/log-in", {
      method: "POST",
      headers: { "content-type": type },
      body: JSON.stringify(createFields()),
    });
    expect({ status: answer.status, cookies: answer.headers.getSetCookie() }).toEqual({
      status: 415,
      cookies: [],
    });
  });

  it("accepts any spelling of the form's media type", async () => {
    const answer = await visitor().send("/users/log-in", {
      method: "POST",
      headers: { "content-type": "Application/X-WWW-Form-Urlencoded ; charset=UTF-8" },
      body: new URLSearchParams(createFields()).toString(),
    });
    expect(answer.status).toBe(303);
  });

  it("rejects a body of more than 16 KiB, with and without Content-Length", async () => {
    const big = createFields({ padding: "x".repeat(16_384) });
    expect((await visitor().submit("/users/log-in", big)).status).toBe(413);
    const streamed = await visitor().send("/users/log-in", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new Blob([new URLSearchParams(big).toString()]).stream(),
      // Required by Node's fetch for a body of unknown length, but missing from its types.
      ...({ duplex: "half" } as object),
    });
    expect(streamed.status).toBe(413);
  });

  it.each([
    "%",
    "%ff%fe",
    "user[email]=%zz&&&=",
    "user[email][x]=1&user[]=2",
    "a".repeat(5000),
    "user%5Bemail%5D",
  ])("causes no internal error for the body %j", async (body) => {
    const answer = await visitor().send("/users/log-in", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    expect(answer.status).toBe(422);
  });

  it("asks to retry when too many passwords are queued, keeps the form and counts no failed attempt", async () => {
    const who = await world.person();
    const fields = createFields({ "user[email]": who.email, "user[password]": "not the password" });
    const counted = "SELECT key, hits FROM throttle WHERE cardinality(hits) > 0 ORDER BY key";
    const before = await world.server.database.query(counted);
    const answered = new AbortController();
    // Besides those being hashed, 256 wait, for several callers. Each that ends is followed by another.
    const busy = Array.from({ length: HASHES_AT_ONCE + 256 }, async (_, index) => {
      const by = `caller ${index % 8}`;
      while (!answered.signal.aborted) await world.server.services.passwords.hash("a password", by);
    });
    const answer = await visitor().submit("/users/log-in", fields);
    answered.abort();
    await Promise.all(busy);
    expect({ status: answer.status, again: answer.headers.get("retry-after") }).toEqual({
      status: 503,
      again: "2",
    });
    expect(answer.text).toContain("Too many log-ins at the moment.");
    expect(answer.text).toContain(`value="${who.email}"`);
    expect(await world.server.database.query(counted)).toEqual(before);
  });

  it("rejects forms sent by other sites", async () => {
    const evil: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ];
    for (const headers of evil) {
      const answer = await visitor().submit("/users/log-in", createFields(), headers);
      expect({ status: answer.status, cookies: answer.headers.getSetCookie() }).toEqual({
        status: 403,
        cookies: [],
      });
    }
    const own = await visitor().submit("/users/log-in", createFields(), { origin: world.server.url });
    expect(own.status).toBe(303);
  });
});
