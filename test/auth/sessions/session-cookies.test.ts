import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  askWhoAmI,
  buildCookie,
  parseSetCookies,
  createPerson,
  beginTestSession,
} from "../../support/people.ts";
import { DAY, type SessionWorld, createSessionWorld, getUserId } from "../../support/session-world.ts";

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
});

afterAll(() => world.close());

describe("session cookies", () => {
  it("restore the session from remember-me alone", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who, { remember: true });
    const answer = await askWhoAmI(world.server, buildCookie(null, token));
    expect(getUserId(answer)).toBe(who.id);
    expect(parseSetCookies(answer)["_agent_ops_key"]?.value).toBe(token);
  });

  it("restore nothing from a session without remember-me", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    expect((await askWhoAmI(world.server, buildCookie(null, token))).status).toBe(401);
    expect(getUserId(await askWhoAmI(world.server, buildCookie(token)))).toBe(who.id);
  });

  it("are set once when a restored session is reissued, and confirmed when sent back", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who, { remember: true });
    const answer = await askWhoAmI(await world.nodeIn(8 * DAY), buildCookie(null, token));
    expect(answer.headers.getSetCookie()).toHaveLength(2);
    expect(parseSetCookies(answer)["_agent_ops_key"]?.value).not.toBe(token);
  });

  it("of a session without remember-me clear an earlier remember-me cookie", async () => {
    const who = await world.person();
    const cookie = buildCookie(await beginTestSession(world.server, who), "x".repeat(43));
    const answer = await askWhoAmI(await world.nodeIn(8 * DAY), cookie);
    expect(parseSetCookies(answer)["_agent_ops_web_user_remember_me"]).toMatchObject({
      value: "",
      attributes: expect.arrayContaining(["Max-Age=0"]),
    });
  });

  it("are accepted if one of several with the same name is valid, but not two", async () => {
    const [one, two] = [await world.person(), await world.person()];
    const tokens = [await beginTestSession(world.server, one), await beginTestSession(world.server, two)];
    const stray = "x".repeat(43);
    const [first = "", second = ""] = tokens;
    expect(getUserId(await askWhoAmI(world.server, `${buildCookie(stray)}; ${buildCookie(first)}`))).toBe(
      one.id,
    );
    expect((await askWhoAmI(world.server, `${buildCookie(first)}; ${buildCookie(second)}`)).status).toBe(401);
  });

  it.each(["_agent_ops_key=%E0%A4%A; ", "=; ;;; ", '_agent_ops_key="; ', "a=b=c; "])(
    "are read next to a malformed cookie: %j",
    async (junk) => {
      const who = await world.person();
      const answer = await askWhoAmI(
        world.server,
        junk + buildCookie(await beginTestSession(world.server, who)),
      );
      expect(getUserId(answer)).toBe(who.id);
    },
  );

  it("are Secure if the base URL is https", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who, { remember: true });
    const node = await world.nodeIn(8 * DAY, { PUBLIC_BASE_URL: "https://ops.example.com" });
    const { _agent_ops_key: session } = parseSetCookies(await askWhoAmI(node, buildCookie(token)));
    expect(session?.attributes).toEqual(["HttpOnly", "Path=/", "SameSite=Lax", "Secure"]);
  });

  it("are no bearer, and are ignored if there is a bearer", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await askWhoAmI(world.server, buildCookie(token), bearer)).status).toBe(401);
    const agent = await askWhoAmI(world.server, buildCookie(token), {
      authorization: `Bearer ${world.apiKey}`,
    });
    expect(agent.body.data.viewer.actor.type).toBe("AGENT");
  });

  it("open the operator's lists and nothing else of /api/v1", async () => {
    const who = await createPerson(world.server, world.workspaceId, { role: "viewer" });
    const cookie = buildCookie(await beginTestSession(world.server, who));
    for (const list of ["eval_runs", "agent_commands", "robots", "missions"]) {
      const answer = await fetch(`${world.server.url}/api/v1/operator/${list}`, { headers: { cookie } });
      expect(answer.status).toBe(200);
    }
    for (const path of ["tasks", "messages", "whoami", "agent_tokens"]) {
      const answer = await fetch(`${world.server.url}/api/v1/${path}`, { headers: { cookie } });
      expect(answer.status).toBe(401);
    }
  });
});

describe("a request by session", () => {
  const cases: [Record<string, string>, number][] = [
    [{ "sec-fetch-site": "same-origin" }, 200],
    [{ "sec-fetch-site": "none" }, 200],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "same-origin", origin: "https://evil.example" }, 200],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{}, 200],
  ];

  it.each(cases)("from %j gets %d", async (headers, status) => {
    const who = await world.person();
    const cookie = buildCookie(await beginTestSession(world.server, who));
    expect((await askWhoAmI(world.server, cookie, headers)).status).toBe(status);
  });

  it("is accepted from our own origin: every loopback name or PUBLIC_BASE_URL", async () => {
    const who = await world.person();
    const cookie = buildCookie(await beginTestSession(world.server, who));
    const { port } = new URL(world.server.url);
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      expect((await askWhoAmI(world.server, cookie, { origin: `http://${host}:${port}` })).status).toBe(200);
    }
    const node = await world.nodeIn(0, { PUBLIC_BASE_URL: "https://ops.example.com" });
    expect((await askWhoAmI(node, cookie, { origin: "https://ops.example.com" })).status).toBe(200);
    expect((await askWhoAmI(node, cookie, { origin: `http://127.0.0.1:${port}` })).status).toBe(403);
    expect((await askWhoAmI(node, cookie, { origin: "http://ops.example.com" })).status).toBe(403);
  });

  it("reads the current role each time", async () => {
    const who = await world.person();
    const cookie = buildCookie(await beginTestSession(world.server, who));
    expect((await askWhoAmI(world.server, cookie)).body.data.viewer.role).toBe("ADMIN");
    await world.server.database.query(`UPDATE "user" SET role = 'viewer' WHERE id = $1`, [who.id]);
    expect((await askWhoAmI(world.server, cookie)).body.data.viewer.role).toBe("VIEWER");
  });

  it("gets 403 in a suspended workspace", async () => {
    const other = await world.another();
    const who = await createPerson(world.server, other.workspaceId);
    const cookie = buildCookie(await beginTestSession(world.server, who));
    await world.server.database.query("UPDATE workspace SET suspended_at = now() WHERE id = $1", [
      other.workspaceId,
    ]);
    const answer = await askWhoAmI(world.server, cookie);
    expect(answer.status).toBe(403);
    expect(answer.body.errors[0].extensions.code).toBe("WORKSPACE_SUSPENDED");
  });
});
