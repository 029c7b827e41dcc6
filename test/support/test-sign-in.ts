import { randomBytes } from "node:crypto";
import { vouchForSignInDomain } from "../../src/auth/oidc/change-sign-in-domains.ts";
import { setSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import { insertNotificationRows } from "./notification-rows.ts";
import { insertFactorRows } from "./test-factors.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";

/** A provider that does not exist. */
export const NEW_SIGN_IN_PROVIDER = { issuer: "https://id.example.com", clientId: "agent-ops" };

/** Gives a workspace a provider, and a verified domain. @returns the domain's id. */
export async function insertTestSignIn(ctx: Ctx, word: string): Promise<string> {
  await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, clientId: word });
  return (await vouchForSignInDomain(ctx, { domain: `${word}.example.com` })).id;
}

/** Inserts rows of a person who has signed in, and of a sign-in under way. */
export async function insertSignInRows(ctx: Ctx, userId: string): Promise<void> {
  const { workspaceId } = ctx;
  const { id: providerId } = await ctx.db.signInProvider.findFirstOrThrow();
  const own = { workspaceId, providerId };
  await ctx.db.userIdentity.create({ data: { ...own, subject: userId, userId } });
  const digest = new Uint8Array(randomBytes(32));
  await ctx.db.usedLogoutToken.create({ data: { ...own, digest, expiresAt: new Date() } });
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 600_000) };
  await ctx.db.signInAttempt.create({ data: { ...own, digest, returnTo: "/", remembered: false, ...times } });
  await insertFactorRows(ctx, userId);
  await insertNotificationRows(ctx, userId);
}
