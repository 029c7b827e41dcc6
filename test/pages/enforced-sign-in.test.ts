import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { type TestPerson, createPerson } from "../support/people.ts";
import { SIGN_IN_ENVIRONMENT, signIn, useIssuer } from "../support/sign-in-world.ts";
import { TEST_CLIENT, type SignInIssuer, startSignInIssuer } from "../support/sign-in-issuer.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { type VisitedPage, getElementText, openVisitor } from "./support/test-visitor.ts";

let world: PageWorld;
let issuer: SignInIssuer;
let ctx: Ctx;
let domain: string;
let owner: TestPerson;
let member: TestPerson;

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
  owner = await createPerson(world.server, workspaceId, { email: `boss@${domain}`, role: "owner" });
  member = await createPerson(world.server, workspaceId, { email: `ada@${domain}` });
  const enforced = { enforced: true, breakGlassOwnerId: owner.id };
  await setSignInProvider(ctx, { issuer: issuer.url, ...TEST_CLIENT, ...enforced });
  return () => issuer.close();
});

function logIn(email: string, password: string): Promise<VisitedPage> {
  const typed = { "user[email]": email, "user[password]": password };
  return openVisitor(world.server.url).submit("/users/log-in", typed);
}

/** A response without the parts that differ in every response. */
function pickComparable({ status, headers, text }: VisitedPage, email: string) {
  const kept = [...headers].filter(([name]) => !["date", "x-request-id", "content-length"].includes(name));
  return { status, headers: kept, text: text.replaceAll(email, "") };
}

describe("POST /users/log-in, where the provider is enforced", () => {
  it("answers alike for the right password, a wrong one, and nobody", async () => {
    const pages = [];
    for (const [email, password] of [
      [member.email, member.password],
      [member.email, "another harbour, at dusk"],
      [`nobody@${domain}`, member.password],
    ] as const) {
      pages.push(pickComparable(await logIn(email, password), email));
    }
    expect(pages[0]?.status).toBe(422);
    expect(pages[0]?.text).toContain("Invalid email or password. People of your company log in with");
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
    const elsewhere = await logIn("nobody@example.com", member.password);
    expect(getElementText(elsewhere, "main")).not.toContain("People of your company");
    for (const odd of ["", "@", `a\0b@${domain}`, "\uD800@x"]) {
      expect((await logIn(odd, member.password)).status).toBe(422);
    }
  });

  it("lets members in at the provider, and the break-glass owner by password, which all owners are told", async () => {
    issuer.person = { sub: "ada", email: member.email, email_verified: true };
    const visitor = openVisitor(world.server.url);
    expect((await signIn(visitor, member.email)).status).toBe(303);
    expect((await logIn(owner.email, owner.password)).status).toBe(303);
    const told = await world.findEmail(owner.email, /logged in without the company/);
    expect(told.text).toContain("Somebody logged in to the workspace");
    const page = await visitor.get("/settings/password");
    expect(getElementText(page, "main")).toContain("Passwords don&#39;t count in your workspace");
    expect(page.text).not.toContain('type="password"');
    const refused = await visitor.submit("/settings/password", {
      ...{ current_password: member.password, password: "another harbour, at dusk" },
      password_confirmation: "another harbour, at dusk",
    });
    expect(refused.status).toBe(409);
    expect(getElementText(refused, "main")).toContain("Passwords don&#39;t count in your workspace");
  });
});

describe("POST /users/forgot-password, where the provider is enforced", () => {
  it("answers alike for everybody, and mails a link to the break-glass owner alone", async () => {
    const visitor = openVisitor(world.server.url);
    const pages = [];
    for (const email of [member.email, `nobody@${domain}`, owner.email]) {
      pages.push(
        pickComparable(await visitor.submit("/users/forgot-password", { "user[email]": email }), email),
      );
    }
    expect(pages[0]?.status).toBe(200);
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
    await world.findEmail(owner.email, /Set a new password/);
    const open = "SELECT id FROM reset_request";
    await expect.poll(() => world.server.database.query(open)).toEqual([]);
    await expect(() => world.findEmail(member.email, /./)).rejects.toThrow("there is no email");
  }, 20_000);
});
