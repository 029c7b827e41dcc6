import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import { createSealedBox } from "../../src/auth/secrets/sealed-box.ts";
import { rotateSecrets } from "../../src/auth/secrets/rotate-secrets.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { type TestPerson, createPerson } from "../support/people.ts";
import { type TestServer, startOn } from "../support/server.ts";
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
import { type TestVisitor, type VisitedPage, openVisitor } from "./support/test-visitor.ts";

const SESSION = "_agent_ops_key";

let world: PageWorld;
let second: TestServer;
let issuer: SignInIssuer;
let ctx: Ctx;
let person: TestPerson;
let visitor: TestVisitor;

beforeAll(async () => {
  world = await openPageWorld(SIGN_IN_ENVIRONMENT);
  second = await startOn(world.server.database, SIGN_IN_ENVIRONMENT);
});

afterAll(async () => {
  await second.stop();
  await world.close();
});

beforeEach(async () => {
  issuer = await startSignInIssuer();
  issuer.wrong = { metadata: { end_session_endpoint: `${issuer.url}/end?a=b` } };
  await world.server.database.query("DELETE FROM throttle");
  const { workspaceId } = await world.server.createWorkspace();
  ctx = world.server.systemCtx(workspaceId);
  const domain = await useIssuer(ctx, issuer);
  person = await createPerson(world.server, workspaceId, { email: `ada@${domain}` });
  issuer.person = { sub: "ada", email: person.email, email_verified: true, sid: "s1" };
  visitor = openVisitor(world.server.url);
  return () => issuer.close();
});

function logOut(from: TestVisitor = visitor): Promise<VisitedPage> {
  return from.submit("/users/log-out", {});
}

async function countSessions(): Promise<number> {
  return ctx.db.userToken.count({ where: { userId: person.id } });
}

function readClaims(link: string): { sub?: string; sid?: string } {
  const [, claims = ""] = (new URL(link).searchParams.get("id_token_hint") ?? "").split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}

describe("POST /users/log-out, in a session that began at a provider", () => {
  it("ends it first, then leads to the provider with the ID token, and back", async () => {
    await signIn(visitor, person.email);
    const page = await logOut();
    expect([page.status, await countSessions(), visitor.cookies.has(SESSION)]).toEqual([200, 0, false]);
    const link = readLink(page);
    expect(page.headers.get("refresh")).toBe(`0; url=${link}`);
    expect(link.startsWith(`${issuer.url}/end?a=b&`)).toBe(true);
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
      client_id: TEST_CLIENT.clientId,
      post_logout_redirect_uri: `${world.server.url}/users/log-in/provider/logged-out`,
      state: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(readClaims(link)).toMatchObject({ sub: "ada", sid: "s1" });
    const back = await visitor.get("/users/log-in/provider/logged-out?state=x");
    expect(back.location).toBe("/users/log-in?notice=logged-out");
  });

  it("keeps the ID token sealed, through a change of the password and of the keys", async () => {
    await signIn(visitor, person.email);
    const [row] = await ctx.db.userToken.findMany({ where: { userId: person.id } });
    expect(row?.providerSid).toBe("s1");
    expect(Buffer.from(row?.sealedIdToken ?? []).includes("eyJ")).toBe(false);
    const password = "a lantern over the water";
    const chosen = { password, password_confirmation: password };
    const changed = await visitor.submit("/settings/password", {
      ...{ current_password: person.password, ...chosen },
    });
    expect(changed.status).toBe(303);
    const key = Buffer.from(SIGN_IN_ENVIRONMENT.SECRETS_KEY, "base64");
    const box = createSealedBox([Buffer.alloc(32, 2), key]);
    await rotateSecrets(world.server.services, box);
    const [kept] = await ctx.db.userToken.findMany({ where: { userId: person.id } });
    expect(box.isCurrent(kept?.sealedIdToken ?? new Uint8Array())).toBe(true);
    await rotateSecrets(world.server.services, createSealedBox([key, Buffer.alloc(32, 2)]));
    expect(readClaims(readLink(await logOut()))).toMatchObject({ sub: "ada" });
  });

  it.each([
    ["has no such page", { metadata: {} }],
    ["names a script", { metadata: { end_session_endpoint: "javascript:alert(1)" } }],
    ["names no URL", { metadata: { end_session_endpoint: "/end" } }],
  ])("is a plain log-out if the provider %s", async (_what, wrong) => {
    issuer.wrong = wrong;
    await signIn(visitor, person.email);
    expect((await logOut()).location).toBe("/users/log-in?notice=logged-out");
    expect(await countSessions()).toBe(0);
  });

  it("is a plain log-out if the provider is down", async () => {
    await signIn(visitor, person.email);
    issuer.wrong = { isDown: true };
    const elsewhere = openVisitor(second.url);
    for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value);
    expect((await logOut(elsewhere)).location).toBe("/users/log-in?notice=logged-out");
    expect(await countSessions()).toBe(0);
  });

  it("is a plain log-out for a session that began with a password, or whose provider is gone", async () => {
    expect((await logOut(await world.logIn(person))).location).toBe("/users/log-in?notice=logged-out");
    await signIn(visitor, person.email);
    await deleteSignInProvider(ctx);
    expect((await logOut()).location).toBe("/users/log-in?notice=logged-out");
  });

  it("leads there without an ID token that is too long for a link", async () => {
    issuer.person = { ...issuer.person, groups: "x".repeat(7000) };
    await signIn(visitor, person.email);
    const link = new URL(readLink(await logOut()));
    expect([link.searchParams.has("id_token_hint"), link.searchParams.get("client_id")]).toEqual([
      ...[false, TEST_CLIENT.clientId],
    ]);
  });
});

describe("a sign-in on two nodes", () => {
  it("begins on one and comes back to the other", async () => {
    const env = { ...SIGN_IN_ENVIRONMENT, PUBLIC_BASE_URL: world.server.url };
    const node = await startOn(world.server.database, env);
    const back = await askProvider(await leave(visitor, person.email));
    const there = openVisitor(node.url);
    for (const [name, value] of visitor.cookies) there.cookies.set(name, value);
    expect((await there.get(back)).location).toBe("/");
    expect(there.cookies.has(SESSION)).toBe(true);
    await node.stop();
  });

  it("keeps its secret over https in a cookie that no other host can set", async () => {
    const env = { ...SIGN_IN_ENVIRONMENT, PUBLIC_BASE_URL: "https://ops.example.com" };
    const node = await startOn(world.server.database, env);
    const there = openVisitor(node.url);
    const page = await there.submit("/users/log-in/provider", { "user[email]": person.email });
    const cookies = page.headers.getSetCookie();
    expect(cookies).toEqual([expect.stringMatching(/^__Host-agent_ops_sign_in=[\w-]{43};/)]);
    const [, ...attributes] = (cookies[0] ?? "").toLowerCase().split("; ");
    expect(attributes.toSorted()).toEqual(["httponly", "max-age=600", "path=/", "samesite=lax", "secure"]);
    await node.stop();
  });
});
