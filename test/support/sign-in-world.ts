import { vouchForSignInDomain } from "../../src/auth/oidc/change-sign-in-domains.ts";
import { setSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { VisitedPage, TestVisitor } from "../pages/support/test-visitor.ts";
import { TEST_CLIENT, type SignInIssuer } from "./sign-in-issuer.ts";

/** The environment of a server that may reach issuers of this machine. */
export const SIGN_IN_ENVIRONMENT = {
  OUTBOUND_ALLOW: "127.0.0.0/8",
  SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
};

/** Lets a workspace's people sign in at an issuer. @returns their domain. */
export async function useIssuer(
  ctx: Ctx,
  { url }: Pick<SignInIssuer, "url">,
  fields: { createsViewers?: boolean } = {},
): Promise<string> {
  const domain = `${crypto.randomUUID()}.example`;
  await setSignInProvider(ctx, { issuer: url, ...TEST_CLIENT, ...fields });
  await vouchForSignInDomain(ctx, { domain });
  return domain;
}

/** Starts a sign-in. @returns the URL to which the page leads. */
export async function leave(visitor: TestVisitor, email: string, fields = {}): Promise<string> {
  return readLink(await visitor.submit("/users/log-in/provider", { "user[email]": email, ...fields }));
}

/** The provider's URL on the page that leads there. */
export function readLink(page: VisitedPage): string {
  const link = /href="(http:[^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&");
  if (link === undefined) throw new Error(`there is no link on the page: ${page.status} ${page.text}`);
  return link;
}

/** Asks the provider. @returns the path to which it sends the browser back. */
export async function askProvider(link: string): Promise<string> {
  const answer = await fetch(link, { redirect: "manual" });
  const { pathname, search } = new URL(answer.headers.get("location") ?? "");
  return pathname + search;
}

/** Signs in from the form to the last page. */
export async function signIn(visitor: TestVisitor, email: string, fields = {}): Promise<VisitedPage> {
  return visitor.get(await askProvider(await leave(visitor, email, fields)));
}
