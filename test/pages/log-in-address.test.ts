import { afterAll, beforeAll, expect, describe, it } from "vitest";
import { setSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { type TestPerson, createPerson } from "../support/people.ts";
import { SIGN_IN_ENVIRONMENT, useIssuer } from "../support/sign-in-world.ts";
import { TEST_CLIENT, type SignInIssuer, startSignInIssuer } from "../support/sign-in-issuer.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { type VisitedPage, openVisitor } from "./support/test-visitor.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld(SIGN_IN_ENVIRONMENT);
});

afterAll(() => world.close());

/** The page that follows an address. */
function enter(email: string, fields: Record<string, string> = {}): Promise<VisitedPage> {
  return openVisitor(world.server.url).submit("/users/log-in", { "user[email]": email, ...fields });
}

/** Expects the same page for every address, and returns it without the address. */
async function enterEach(emails: string[]): Promise<string> {
  const pages = new Set<string>();
  for (const email of emails) {
    const page = await enter(email);
    expect({ status: page.status, cookies: page.headers.getSetCookie() }).toEqual({
      status: 200,
      cookies: [],
    });
    pages.add(page.text.replaceAll(email, ""));
  }
  const [page, ...others] = pages;
  expect(others).toEqual([]);
  return page ?? "";
}

describe("an address of a domain without a provider", () => {
  it("asks for the password, the same for every address", async () => {
    const person = await world.person();
    const page = await enterEach([person.email, "nobody@example.com"]);
    expect(page).toContain('name="user[password]"');
    expect(page).not.toContain("company's account");
  });

  it("keeps what the first page was told", async () => {
    const told = { "user[remember_me]": "true", return_to: "/settings/members" };
    const page = await enter("ada@example.com", told);
    for (const [name, value] of Object.entries({ ...told, "user[email]": "ada@example.com" })) {
      expect(page.text).toContain(`name="${name}" value="${value}"`);
    }
    expect(page.text).toContain('href="/users/log-in?return_to=%2Fsettings%2Fmembers"');
  });

  it.each(["", " ", "no address", "a@b@", "nul\0@example.com", `${"a".repeat(150)}@example.com`])(
    "asks again for %j",
    async (email) => {
      const page = await enter(email);
      expect(page.status).toBe(422);
      expect(page.text).toContain("Enter an email address");
      expect(page.text).not.toContain('type="password"');
    },
  );
});

describe("an address of a domain with a provider", () => {
  let issuer: SignInIssuer;
  let ctx: Ctx;
  let domain: string;
  let owner: TestPerson;

  beforeAll(async () => {
    issuer = await startSignInIssuer();
    const { workspaceId } = await world.server.createWorkspace();
    ctx = world.server.systemCtx(workspaceId);
    domain = await useIssuer(ctx, issuer);
    owner = await createPerson(world.server, workspaceId, { email: `boss@${domain}`, role: "owner" });
    return () => issuer.close();
  });

  it("offers the company's account and the password", async () => {
    const page = await enterEach([owner.email, `nobody@${domain.toUpperCase()}`]);
    expect(page).toMatch(/company's account[^]*type="password"/);
    expect(page).not.toContain("<details");
  });

  it("offers the company's account first where it is enforced, and the password in a fold", async () => {
    const enforced = { enforced: true, breakGlassOwnerId: owner.id };
    await setSignInProvider(ctx, { issuer: issuer.url, ...TEST_CLIENT, ...enforced });
    const page = await enterEach([owner.email, `nobody@${domain}`]);
    expect(page).toMatch(/company's account[^]*<details class="fold"\s*>[^]*type="password"/);
  });

  it("offers the password alone once the domain is no longer verified", async () => {
    const unverify = "UPDATE sign_in_domain SET verified_at = NULL WHERE domain = $1";
    await world.server.database.query(unverify, [domain]);
    expect(await enterEach([owner.email])).not.toContain("company's account");
  });
});
