import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { deactivateUser } from "../../src/domain/users/deactivate-user.ts";
import { type TestPerson, createPerson } from "../support/people.ts";
import {
  SIGN_IN_ENVIRONMENT,
  askProvider,
  leave,
  readLink,
  signIn,
  useIssuer,
} from "../support/sign-in-world.ts";
import { TEST_CLIENT, type SignInIssuer, startSignInIssuer } from "../support/sign-in-issuer.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { type TestVisitor, type VisitedPage, getElementText, openVisitor } from "./support/test-visitor.ts";

const SESSION = "_agent_ops_key";

let world: PageWorld;
let issuer: SignInIssuer;
let ctx: Ctx;
let domain: string;
let person: TestPerson;
let visitor: TestVisitor;

beforeAll(async () => {
  world = await openPageWorld(SIGN_IN_ENVIRONMENT);
});

afterAll(() => world.close());

beforeEach(async () => {
  issuer = await startSignInIssuer();
  await world.server.database.query("DELETE FROM throttle");
  const { workspaceId } = await world.server.createWorkspace();
  ctx = world.server.systemCtx(workspaceId);
  domain = await useIssuer(ctx, issuer);
  person = await createPerson(world.server, workspaceId, { email: `ada@${domain}` });
  visitor = openVisitor(world.server.url);
  be("ada");
  return () => issuer.close();
});

/** Lets the issuer sign this person in. */
function be(name: string, claims: Record<string, unknown> = {}): void {
  issuer.person = { sub: `sub-${name}`, email: `${name}@${domain}`, email_verified: true, ...claims };
}

/** Expects a page with words and no session. */
function expectRefusal(page: VisitedPage, words: string): void {
  expect(page.status).toBeGreaterThanOrEqual(400);
  expect(page.status).not.toBe(500);
  expect(getElementText(page, "main")).toContain(words);
  expect(visitor.cookies.has(SESSION)).toBe(false);
}

describe("POST /users/log-in/provider", () => {
  it("leads to the domain's provider with PKCE, state and nonce, by a link and at once", async () => {
    const page = await visitor.submit("/users/log-in/provider", { "user[email]": person.email });
    const url = new URL(readLink(page));
    expect(page.headers.get("refresh")).toBe(`0; url=${url.href}`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: "code", client_id: TEST_CLIENT.clientId, code_challenge_method: "S256" },
      redirect_uri: `${world.server.url}/users/log-in/provider/callback`,
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    }
  });

  it("answers alike for people who exist and who do not", async () => {
    const [one, other] = [await leave(visitor, person.email), await leave(visitor, `nobody@${domain}`)];
    expect(new URL(one).origin).toBe(new URL(other).origin);
    const pages = [];
    for (const email of ["somebody@example.com", "nobody@example.com"]) {
      const page = await visitor.submit("/users/log-in/provider", { "user[email]": email });
      expect(page.status).toBe(422);
      pages.push(page.text.replaceAll(email, ""));
    }
    expect(pages[0]).toBe(pages[1]);
    expect(pages[0]).toContain("There is no company sign-in for addresses of this domain.");
  });

  it("says so if the provider is down or calls itself another, and asks it once", async () => {
    for (const wrong of [{ isDown: true }, { metadata: { issuer: "https://other.example" } }]) {
      await setSignInProvider(ctx, { issuer: issuer.url, ...TEST_CLIENT });
      issuer.wrong = wrong;
      issuer.requests.length = 0;
      for (let count = 0; count < 3; count++) {
        const page = await visitor.submit("/users/log-in/provider", { "user[email]": person.email });
        expect(page.status).toBe(503);
        expectRefusal(page, "be reached at the moment");
      }
      expect(issuer.requests).toHaveLength(1);
    }
  });

  it("leads to no address that is a script", async () => {
    issuer.wrong = { metadata: { authorization_endpoint: "javascript:alert(1)//" } };
    const page = await visitor.submit("/users/log-in/provider", { "user[email]": person.email });
    expectRefusal(page, "is not set up correctly");
  });

  it("starts a hundred sign-ins from one address within 15 minutes", async () => {
    for (let count = 0; count < 100; count++) await leave(visitor, person.email);
    const page = await visitor.submit("/users/log-in/provider", { "user[email]": person.email });
    expect(page.status).toBe(429);
  });
});

describe("GET /users/log-in/provider/callback", () => {
  it("logs a known person in, remembered, at the path that was asked for", async () => {
    const page = await signIn(visitor, person.email, { return_to: "/settings", "user[remember_me]": "true" });
    expect({ status: page.status, location: page.location }).toEqual({ status: 303, location: "/settings" });
    expect([...visitor.cookies.keys()].toSorted()).toEqual([SESSION, "_agent_ops_web_user_remember_me"]);
    expect((await visitor.get("/settings")).text).toContain("Somebody");
    const actions = await world.server.database.query<{ action: string }>(
      "SELECT action FROM audit_event WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 2",
      [ctx.workspaceId],
    );
    expect(actions.map(({ action }) => action)).toEqual(["session.created", "user.identity_bound"]);
  });

  it("leads to no other site", async () => {
    const page = await signIn(visitor, person.email, { return_to: "https://evil.example" });
    expect(page.location).toBe("/");
  });

  it("knows a person by the provider's name, whatever address it tells later", async () => {
    await signIn(visitor, person.email);
    const other = await createPerson(world.server, ctx.workspaceId, { email: `grace@${domain}` });
    be("ada", { email: other.email });
    const again = openVisitor(world.server.url);
    await signIn(again, other.email);
    const rows = await world.server.database.query<{ user_id: string }>(
      "SELECT DISTINCT user_id FROM users_tokens WHERE workspace_id = $1 AND provider_id IS NOT NULL",
      [ctx.workspaceId],
    );
    expect(rows).toEqual([{ user_id: person.id }]);
    be("mallory", { email: person.email });
    visitor.cookies.clear();
    expectRefusal(await signIn(visitor, person.email), "belongs to another account");
  });

  it("believes the address of the userinfo endpoint if the ID token has none", async () => {
    issuer.wrong = { inUserinfo: true };
    expect((await signIn(visitor, person.email)).status).toBe(303);
  });

  it("goes on when the provider has changed its key", async () => {
    await signIn(visitor, person.email);
    issuer.rotateKey();
    const again = openVisitor(world.server.url);
    expect((await signIn(again, person.email)).location).toBe("/");
    expect(issuer.requests.filter((path) => path === "/jwks")).toHaveLength(2);
  });

  it.each([
    ["an unverified address", { email_verified: false }, "has not verified your email address"],
    ["an address verified in words", { email_verified: "true" }, "has not verified your email address"],
    ["no address", { email: undefined }, "has not verified your email address"],
    ["a foreign domain", { email: "ada@example.com" }, "not of a domain that your workspace has verified"],
    ["an unknown person", { email: "nobody" }, "has not verified your email address"],
  ])("refuses %s", async (_name, claims, words) => {
    be("ada", claims);
    expectRefusal(await signIn(visitor, person.email), words);
  });

  it("refuses an unknown person, unless the workspace creates viewers and nobody manages people by SCIM", async () => {
    be("new");
    expectRefusal(await signIn(visitor, `new@${domain}`), "Nobody in the workspace has your address");
    await setSignInProvider(ctx, { issuer: issuer.url, ...TEST_CLIENT, createsViewers: true });
    await ctx.db.workspace.update({ where: { id: ctx.workspaceId }, data: { scimManaged: true } });
    expectRefusal(await signIn(visitor, `new@${domain}`), "Nobody in the workspace has your address");
    await ctx.db.workspace.update({ where: { id: ctx.workspaceId }, data: { scimManaged: false } });
    expect((await signIn(visitor, `new@${domain}`)).status).toBe(303);
    const created = await ctx.db.user.findFirstOrThrow({ where: { email: `new@${domain}` } });
    expect(created).toMatchObject({ role: "viewer", hashedPassword: null });
  });

  it("refuses a suspended person, by address and by identity", async () => {
    await signIn(visitor, person.email);
    visitor.cookies.clear();
    await deactivateUser(ctx, person.id);
    expectRefusal(await signIn(visitor, person.email), "Your account is suspended");
    await ctx.db.userIdentity.deleteMany({ where: {} });
    expectRefusal(await signIn(visitor, person.email), "Your account is suspended");
  });

  it("refuses owners while only admins have set the provider", async () => {
    await createPerson(world.server, ctx.workspaceId, { email: `boss@${domain}`, role: "owner" });
    await ctx.db.signInProvider.updateMany({ where: {}, data: { servesOwners: false } });
    be("boss");
    expectRefusal(await signIn(visitor, `boss@${domain}`), "once an owner has saved its settings");
  });

  it("refuses a person of a domain that another workspace has verified", async () => {
    const other = await startSignInIssuer();
    const stranger = world.server.systemCtx((await world.server.createWorkspace()).workspaceId);
    const theirs = await useIssuer(stranger, other);
    other.person = { sub: "x", email: person.email, email_verified: true };
    expectRefusal(await signIn(visitor, `x@${theirs}`), "not of a domain that your workspace has verified");
    await other.close();
  });

  it.each([
    ["another issuer in the redirect", { redirect: { iss: "https://other.example" } }],
    ["no issuer in the redirect", { redirect: { iss: null } }],
    ["another issuer in the ID token", { claims: { iss: "https://other.example" } }],
    ["another nonce", { claims: { nonce: "another" } }],
    ["no nonce", { claims: { nonce: undefined } }],
    ["an ID token for another client", { claims: { aud: "another" } }],
    ["an ID token for several clients", { claims: { aud: ["agent-ops", "b"], azp: "b" } }],
    ["an expired ID token", { claims: { exp: Math.floor(Date.now() / 1000) - 90 } }],
    ["an unsigned ID token", { header: { alg: "none" } }],
    ["an ID token signed with the secret", { header: { alg: "HS256" } }],
    ["an ID token of an unknown key", { header: { kid: "unknown" } }],
    ["no subject", { claims: { sub: undefined } }],
  ])("refuses %s", async (_name, wrong) => {
    issuer.wrong = wrong;
    expectRefusal(await signIn(visitor, person.email), "could not be verified");
  });

  it("allows clocks to differ by a minute", async () => {
    const now = Math.floor(Date.now() / 1000);
    issuer.wrong = { claims: { exp: now - 30, iat: now + 30 } };
    expect((await signIn(visitor, person.email)).status).toBe(303);
  });

  it("refuses what the provider did not allow, without its words", async () => {
    issuer.wrong = { redirect: { code: null, error: "access_denied", error_description: "call 555" } };
    const page = await signIn(visitor, person.email);
    expectRefusal(page, "did not allow this");
    expect(page.text).not.toContain("555");
  });

  it("refuses a return that was used, and a code that was", async () => {
    const back = await askProvider(await leave(visitor, person.email));
    const cookies = new Map(visitor.cookies);
    expect((await visitor.get(back)).status).toBe(303);
    const again = openVisitor(world.server.url);
    for (const [name, value] of cookies) again.cookies.set(name, value);
    expect(getElementText(await again.get(back), "main")).toContain("was used already");
    const code = new URLSearchParams(back.split("?")[1]).get("code") ?? "";
    issuer.wrong = { redirect: { code } };
    visitor.cookies.clear();
    expectRefusal(await signIn(visitor, person.email), "used already or has expired");
  });

  it("refuses the return of another browser, which does not use it up", async () => {
    const back = await askProvider(await leave(visitor, person.email));
    const other = openVisitor(world.server.url);
    expect(getElementText(await other.get(back), "main")).toContain("another browser");
    await leave(other, person.email);
    expect(getElementText(await other.get(back), "main")).toContain("another browser");
    expect((await visitor.send(back, { method: "HEAD" })).status).toBe(200);
    expect((await visitor.get(back)).status).toBe(303);
  });

  it("refuses a return after ten minutes", async () => {
    const back = await askProvider(await leave(visitor, person.email));
    await world.server.database.query("UPDATE sign_in_attempt SET expires_at = now()");
    expectRefusal(await visitor.get(back), "took longer than ten minutes");
  });
});

describe("POST /users/confirm-password/provider", () => {
  it("confirms a session that began at the provider, with a fresh authentication of the same person", async () => {
    await signIn(visitor, person.email);
    await world.endSudo(person);
    expect((await visitor.get("/users/confirm-password")).text).toContain("/users/confirm-password/provider");
    const confirm = () => visitor.submit("/users/confirm-password/provider", { return_to: "/settings/scim" });
    const old = Math.floor(Date.now() / 1000) - 600;
    issuer.wrong = { claims: { auth_time: old } };
    const stale = await visitor.get(await askProvider(readLink(await confirm())));
    expect(getElementText(stale, "main")).toContain("could not be verified");
    issuer.wrong = {};
    be("another");
    const another = await visitor.get(await askProvider(readLink(await confirm())));
    expect(getElementText(another, "main")).toContain("somebody else");
    be("ada");
    const link = readLink(await confirm());
    expect(new URL(link).searchParams.get("max_age")).toBe("0");
    expect((await visitor.get(await askProvider(link))).location).toBe("/settings/scim");
    const [row] = await world.server.database.query<{ fresh: boolean }>(
      "SELECT authenticated_at > now() - interval '1 minute' AS fresh FROM users_tokens WHERE user_id = $1",
      [person.id],
    );
    expect(row?.fresh).toBe(true);
  });

  it("is not for sessions that began with a password", async () => {
    const own = await world.logIn(person);
    expect((await own.get("/users/confirm-password")).text).not.toContain("/users/confirm-password/provider");
    expect((await own.submit("/users/confirm-password/provider", {})).status).toBe(409);
  });
});
