import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openVisitor } from "../../pages/support/test-visitor.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { startSignInIssuer } from "../../support/sign-in-issuer.ts";
import { SIGN_IN_ENVIRONMENT, signIn, useIssuer } from "../../support/sign-in-world.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(SIGN_IN_ENVIRONMENT);
});

afterAll(() => server.close());

describe("the first sign-in of a person", () => {
  it("succeeds however often it happens at once, for one account", async () => {
    const issuer = await startSignInIssuer();
    onTestFinished(() => issuer.close());
    const ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
    const domain = await useIssuer(ctx, issuer, { createsViewers: true });
    const email = `new@${domain}`;
    issuer.person = { sub: "new", email, email_verified: true };
    const pages = await Promise.all(Array.from({ length: 24 }, () => signIn(openVisitor(server.url), email)));
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 303));
    expect(await ctx.db.user.findMany({ where: { email } })).toHaveLength(1);
  });
});
