import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { openVisitor } from "../../pages/support/test-visitor.ts";
import {
  type TestPerson,
  askWhoAmI,
  buildCookie,
  createPerson,
  beginTestSession,
} from "../../support/people.ts";
import { type TestServer, startOn, startTestServer } from "../../support/server.ts";
import { SIGN_IN_ENVIRONMENT, signIn, useIssuer } from "../../support/sign-in-world.ts";
import { TEST_CLIENT, type SignInIssuer, startSignInIssuer } from "../../support/sign-in-issuer.ts";
import { personSocket } from "../../support/socket-client.ts";

const PATH = "/users/log-in/provider/backchannel-logout";
const SESSION = "_agent_ops_key";

let server: TestServer;
let second: TestServer;
let issuer: SignInIssuer;
let ctx: Ctx;
let person: TestPerson;

beforeAll(async () => {
  server = await startTestServer(SIGN_IN_ENVIRONMENT);
  second = await startOn(server.database, SIGN_IN_ENVIRONMENT);
});

afterAll(async () => {
  await second.stop();
  await server.close();
});

beforeEach(async () => {
  issuer = await startSignInIssuer();
  await server.database.query("DELETE FROM throttle");
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
  const domain = await useIssuer(ctx, issuer);
  person = await createPerson(server, workspaceId, { email: `ada@${domain}` });
  return () => issuer.close();
});

/** Signs the person in. @returns the session. */
async function enter(sid?: string): Promise<string> {
  issuer.person = { sub: "ada", email: person.email, email_verified: true, sid };
  const visitor = openVisitor(server.url);
  expect((await signIn(visitor, person.email)).status).toBe(303);
  return visitor.cookies.get(SESSION) ?? "";
}

async function isValid(session: string): Promise<boolean> {
  return (await askWhoAmI(second, buildCookie(session))).status === 200;
}

async function send(token: string, init: RequestInit = {}) {
  const body = new URLSearchParams({ logout_token: token });
  const answer = await fetch(server.url + PATH, { method: "POST", body, ...init });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return { status: answer.status, body: await answer.json() };
}

const now = () => Math.floor(Date.now() / 1000);

describe(`POST ${PATH}`, () => {
  it("ends all sessions of a person that began there, on every node, with an open socket, and says so", async () => {
    const [one, other] = [await enter("s1"), await enter("s2")];
    const byPassword = await beginTestSession(server, person);
    const socket = await personSocket(second.url, buildCookie(one));
    expect(await send(issuer.createLogoutToken({ sub: "ada" }))).toEqual({ status: 200, body: {} });
    expect((await socket.closed).code).toBe(4401);
    expect(await Promise.all([one, other, byPassword].map(isValid))).toEqual([false, false, true]);
    const audit = await server.database.query(
      "SELECT actor, changes FROM audit_event WHERE workspace_id = $1 AND action = 'session.ended'",
      [ctx.workspaceId],
    );
    const changes = { user_id: person.id, reason: "provider_logged_out" };
    expect(audit).toMatchObject(
      [1, 2].map(() => ({ changes, actor: { type: "system", name: "sign-in provider" } })),
    );
  });

  it.each([{}, { sub: "ada" }])("ends one session by its sid, with %o", async (claims) => {
    const [one, other] = [await enter("s1"), await enter("s2")];
    expect((await send(issuer.createLogoutToken({ ...claims, sid: "s1" }))).status).toBe(200);
    expect([await isValid(one), await isValid(other)]).toEqual([false, true]);
  });

  it("ends sessions of which the provider told no sid with the person's", async () => {
    const session = await enter();
    expect((await send(issuer.createLogoutToken({ sid: "s1" }))).status).toBe(200);
    expect(await isValid(session)).toBe(true);
    expect((await send(issuer.createLogoutToken({ sid: "s1", sub: "ada" }))).status).toBe(200);
    expect(await isValid(session)).toBe(false);
  });

  it("ends the sessions of all workspaces that have the provider, and of no other", async () => {
    const session = await enter();
    const stranger = await startSignInIssuer();
    const { workspaceId } = await server.createWorkspace();
    await useIssuer(server.systemCtx(workspaceId), stranger);
    expect((await send(stranger.createLogoutToken({ sub: "ada" }))).status).toBe(200);
    expect(await isValid(session)).toBe(true);
    await stranger.close();
  });

  it("takes a token once", async () => {
    const token = issuer.createLogoutToken({ sub: "ada" });
    expect((await send(token)).status).toBe(200);
    const session = await enter();
    expect(await send(token)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect(await isValid(session)).toBe(true);
  });

  it("takes a token of a new key", async () => {
    expect((await send(issuer.createLogoutToken({ sub: "ada" }))).status).toBe(200);
    issuer.rotateKey();
    expect((await send(issuer.createLogoutToken({ sub: "nobody" }))).status).toBe(400);
    expect(issuer.requests.filter((path) => path === "/jwks")).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ["another issuer", { iss: "https://other.example" }],
    ["another client", { aud: "another" }],
    ["several clients", { aud: ["agent-ops", "another"] }],
    ["no audience", { aud: undefined }],
    ["a client that can't be stored", { aud: "agent-ops\0" }],
    ["a nonce", { nonce: "n" }],
    ["no event", { events: undefined }],
    ["another event", { events: { "https://example.com/event": {} } }],
    [
      "an event that is no object",
      { events: { "http://schemas.openid.net/event/backchannel-logout": true } },
    ],
    ["neither sub nor sid", { sub: undefined }],
    ["a sub that is no text", { sub: ["ada"] }],
    ["a sub that can't be stored", { sub: "a\0" }],
    ["no jti", { jti: undefined }],
    ["no exp", { exp: undefined }],
    ["no iat", { iat: undefined }],
    ["an expiry that has passed", { exp: now() - 90 }],
    ["a time to come", { iat: now() + 3000 }],
    ["an old age", { iat: now() - 4000 }],
    ["a long life", { exp: now() + 90_000 }],
    ["no signature", {}, { alg: "none" }],
    ["a signature by the secret", {}, { alg: "HS256" }],
    ["an unknown key", {}, { kid: "unknown" }],
  ])("refuses a token with %s, and ends nothing", async (_what, claims, header) => {
    const session = await enter("s1");
    const token = issuer.createLogoutToken({ sub: "ada", ...claims }, header);
    expect(await send(token)).toEqual({
      status: 400,
      body: { error: "invalid_request", error_description: expect.any(String) },
    });
    expect(await isValid(session)).toBe(true);
  });

  it("refuses what is no token, and other bodies", async () => {
    const session = await enter();
    for (const token of ["x", "a.b.c", "é", "x".repeat(20_000)]) {
      expect(await send(token)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    }
    const bodies: RequestInit[] = [
      { body: "{}", headers: { "content-type": "application/json" } },
      { body: new URLSearchParams() },
      {
        body: "logout_token=a&logout_token=b",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
      { body: new URLSearchParams({ logout_token: "x".repeat(30_000) }) },
    ];
    for (const init of bodies) expect((await send("", init)).status).toBe(400);
    expect((await fetch(server.url + PATH)).status).toBe(404);
    expect(await isValid(session)).toBe(true);
  });

  it("refuses forged signatures without asking the issuer each time", async () => {
    const forged = await startSignInIssuer();
    await enter();
    issuer.requests.length = 0;
    for (let count = 0; count < 20; count++) {
      const token = forged.createLogoutToken({ sub: "ada", iss: issuer.url });
      expect((await send(token)).status).toBe(400);
    }
    expect(issuer.requests.length).toBeLessThanOrEqual(2);
    await forged.close();
  });

  it("refuses an issuer's tokens from an address after 300 that were refused, and no other issuer's", async () => {
    const hits = `INSERT INTO throttle (key, hits, touched_at) SELECT $1, array_fill(now(), ARRAY[300]), now()
      ON CONFLICT (key) DO UPDATE SET hits = excluded.hits`;
    await server.database.query(hits, [await keyOf("sign-in:logout:127.0.0.1")]);
    expect(await send(issuer.createLogoutToken({ sub: "ada" }))).toMatchObject({ status: 200 });
    expect(await send(issuer.createLogoutToken({ sub: "ada", aud: "unknown" }))).toMatchObject({
      status: 429,
      body: { error: "slow_down" },
    });
    const { clientId } = TEST_CLIENT;
    await server.database.query(hits, [await keyOf(`sign-in:logout:127.0.0.1 ${issuer.url} ${clientId}`)]);
    expect(await send(issuer.createLogoutToken({ sub: "ada" }))).toMatchObject({
      status: 429,
      body: { error: "slow_down" },
    });
  });
});

async function keyOf(key: string): Promise<Buffer> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Buffer.from(hash);
}
