import { vouchForSignInDomain } from "../../src/auth/oidc/change-sign-in-domains.ts";
import { setSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";

/** A provider that does not exist. */
export const NEW_SIGN_IN_PROVIDER = { issuer: "https://id.example.com", clientId: "agent-ops" };

/** Gives a workspace a provider, and a verified domain. @returns the domain's id. */
export async function insertTestSignIn(ctx: Ctx, word: string): Promise<string> {
  await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, clientId: word });
  return (await vouchForSignInDomain(ctx, { domain: `${word}.example.com` })).id;
}
