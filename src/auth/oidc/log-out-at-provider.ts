import { randomBytes } from "node:crypto";
import * as oidc from "openid-client";
import { sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { logOut } from "../sessions/log-out.ts";
import { openIdToken } from "./provider-session.ts";
import { LOGGED_OUT_PATH, type OidcServices } from "./oidc-services.ts";
import type { ProviderRow } from "./provider-clients.ts";

/**
 * Logs the caller out of this browser, and finds where the browser ends the session at the provider at which it began.
 *
 * @returns null if it did not begin at a provider, or the provider has no such page or can't be reached.
 * @throws {DomainError} forbidden unless the caller is a person.
 * @see https://openid.net/specs/openid-connect-rpinitiated-1_0.html
 */
export async function logOutAtProvider(services: OidcServices, ctx: Ctx): Promise<URL | null> {
  const [row] = await ctx.read(FIND, [ctx.workspaceId, requireUser(ctx).session.id]);
  await logOut(ctx);
  if (row === undefined) return null;
  const hint = openIdToken(services, row);
  try {
    return await services.providerClients.use(row, async (client) => buildUrl(services, client, hint));
  } catch (error) {
    if (error instanceof DomainError && error.code === "unavailable") return null;
    throw error;
  }
}

const FIND = sql<ProviderRow & { familyId: string; sealedIdToken: Uint8Array | null }>`
SELECT p.workspace_id AS "workspaceId", p.id, p.issuer, p.client_id AS "clientId",
  p.sealed_client_secret AS "sealedClientSecret", p.generation, t.family_id AS "familyId",
  t.sealed_id_token AS "sealedIdToken"
FROM users_tokens t
JOIN sign_in_provider p ON p.workspace_id = t.workspace_id AND p.id = t.provider_id
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;

/** The provider names the page, and it becomes a link. */
function buildUrl(
  { baseUrl }: Pick<OidcServices, "baseUrl">,
  client: oidc.Configuration,
  hint: string | null,
): URL | null {
  const page = client.serverMetadata().end_session_endpoint;
  if (page === undefined || !URL.canParse(page) || !/^https?:$/.test(new URL(page).protocol)) return null;
  return oidc.buildEndSessionUrl(client, {
    ...(hint !== null && { id_token_hint: hint }),
    post_logout_redirect_uri: baseUrl() + LOGGED_OUT_PATH,
    // Some providers come back only with one. The page says nothing that others must not cause.
    state: randomBytes(16).toString("base64url"),
  });
}
