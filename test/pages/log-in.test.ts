import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  it("is a form with its fields, one heading and no script", async () => {
    const page = await visitor().get("/users/log-in");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text.match(/<h1/g)).toHaveLength(1);
    expect(page.text).not.toMatch(/<script|style=|\son[a-z]+=/);
    for (const name of ["user[email]", "user[password]", "user[remember_me]"]) {
      expect(page.text).toContain(`name="${name}"`);
    }
  });

  it("sends who is logged in to the start page", async () => {
    const answer = await (await world.logIn(person)).get("/users/log-in");
    expect({ status: answer.status, location: answer.location }).toEqual({ status: 303, location: "/" });
  });

  it("answers HEAD, and nothing else", async () => {
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
  it("lets in, by a cookie that ends with the browser", async () => {
    const answer = await visitor().submit("/users/log-in", createFields());
    expect({ status: answer.status, location: answer.location }).toEqual({ status: 303, location: "/" });
    const set = parseSetCookies(answer);
    expect(Object.keys(set)).toEqual([SESSION]);
    expect(set[SESSION]?.attributes).toEqual(["HttpOnly", "Path=/", "SameSite=Lax"]);
  });

  it("remembers whoever asks for it for exactly 14 days", async () => {
    const answer = await visitor().submit("/users/log-in", createFields({ "user[remember_me]": "true" }));
    const set = parseSetCookies(answer);
    expect(set[REMEMBER_ME]?.value).toBe(set[SESSION]?.value);
    expect(set[REMEMBER_ME]?.attributes).toContain("Max-Age=1209600");
    expect(set[SESSION]?.attributes.join()).not.toMatch(/Max-Age|Expires/i);
  });

  it("restores the session of a browser that was closed", async () => {
    const remembered = await world.logIn(person, { "user[remember_me]": "true" });
    remembered.cookies.delete(SESSION);
    const answer = await remembered.get("/settings");
    expect(answer.status).toBe(200);
    expect(parseSetCookies(answer)[SESSION]?.value).toBe(remembered.cookies.get(REMEMBER_ME));
  });

  it("takes flat names too", async () => {
    const { email, password } = person;
    const answer = await visitor().submit("/users/log-in", { email, password, remember_me: "true" });
    expect(answer.status).toBe(303);
    expect(Object.keys(parseSetCookies(answer))).toContain(REMEMBER_ME);
  });

  it("refuses with one body, whatever the cause", async () => {
    const suspended = await world.person();
    await world.server.database.query('UPDATE "user" SET suspended_at = now() WHERE id = $1', [suspended.id]);
    const causes = [
      { email: person.email, password: "not the password" },
      { email: suspended.email, password: suspended.password },
      { email: "nobody@example.com", password: "not the password" },
      { email: "no address", password: "" },
      { email: "nul\0@example.com", password: "nul\0" },
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
      bodies.add(answer.text.replace(/value="[^"]*" id="email"/, ""));
    }
    expect(bodies.size).toBe(1);
  });

  it("keeps the address that was typed, escaped, and no password", async () => {
    const email = `"><img src=x>'&@example.com`;
    const answer = await visitor().submit(
      "/users/log-in",
      createFields({ "user[email]": email, "user[password]": "s3cret-s3cret" }),
    );
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('value="&quot;&gt;&lt;img src=x&gt;&#39;&amp;@example.com"');
    expect(answer.text).not.toContain("s3cret");
  });

  it("tells the error first: it has the focus, is an alert and stands in the title", async () => {
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

  it("ends the session that the browser came with", async () => {
    const browser = await world.logIn(person);
    const before = browser.cookies.get(SESSION) ?? "";
    expect((await browser.submit("/users/log-in", createFields())).status).toBe(303);
    expect(browser.cookies.get(SESSION)).not.toBe(before);
    const old = await visitor().get("/settings", { cookie: `${SESSION}=${before}` });
    expect(old.location).toBe("/users/log-in?return_to=%2Fsettings");
  });

  it("never keeps a token that was presented", async () => {
    const planted = "A".repeat(43);
    const answer = await visitor().submit("/users/log-in", createFields(), {
      cookie: `${SESSION}=${planted}`,
    });
    expect(parseSetCookies(answer)[SESSION]?.value).not.toBe(planted);
  });

  it("asks which workspace where one password fits several accounts, and lets into the one chosen", async () => {
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
  ])("refuses a body of type %s", async (type) => {
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

  it("takes any spelling of the form's type", async () => {
    const answer = await visitor().send("/users/log-in", {
      method: "POST",
      headers: { "content-type": "Application/X-WWW-Form-Urlencoded ; charset=UTF-8" },
      body: new URLSearchParams(createFields()).toString(),
    });
    expect(answer.status).toBe(303);
  });

  it("refuses a body of more than 16 KiB, with and without its length", async () => {
    const big = createFields({ padding: "x".repeat(16_384) });
    expect((await visitor().submit("/users/log-in", big)).status).toBe(413);
    const streamed = await visitor().send("/users/log-in", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new Blob([new URLSearchParams(big).toString()]).stream(),
      // What Node's fetch wants to be told of a body of unknown length; its types don't know it.
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
  ])("is no failure for the body %j", async (body) => {
    const answer = await visitor().send("/users/log-in", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    expect(answer.status).toBe(422);
  });

  it("asks to come back soon where too many passwords wait, keeps the form and counts no failure", async () => {
    const who = await world.person();
    const fields = createFields({ "user[email]": who.email, "user[password]": "not the password" });
    const counted = "SELECT key, hits FROM throttle WHERE cardinality(hits) > 0 ORDER BY key";
    const before = await world.server.database.query(counted);
    const answered = new AbortController();
    // Four are hashed and 256 wait, for several callers, and whatever ends is followed by another.
    const busy = Array.from({ length: 260 }, async (_, index) => {
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

  it("refuses what another site's page sends", async () => {
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
