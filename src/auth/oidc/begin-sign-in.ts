import { randomBytes } from "node:crypto";
import * as oidc from "openid-client";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { email } from "../../domain/kernel/input.ts";
import { addressKey, takeHit } from "../../domain/kernel/throttle.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { ATTEMPT_SECONDS, deriveAttempt } from "./attempt-secret.ts";
import { CALLBACK_PATH, type OidcServices } from "./oidc-services.ts";
import type { ProviderRow } from "./provider-clients.ts";

/** Where the browser goes, and the secret that it keeps in a cookie. */
export type BegunSignIn = { url: URL; secret: string };

/** Attempts within 15 minutes: from one IP address, which a whole office may share, and for one provider. */
const ATTEMPTS_PER_PLACE = 100;
const ATTEMPTS_PER_PROVIDER = 10_000;
/** Attempts of a provider that are under way. */
const MOST_PENDING = 5000;

const PROVIDER = `p.workspace_id AS "workspaceId", p.id, p.issuer, p.client_id AS "clientId",
  p.sealed_client_secret AS "sealedClientSecret", p.generation`;

type SignInInput = { email: string; remember: boolean; returnTo: string };

/**
 * Begins a sign-in at the provider of an address's domain. The answer depends on the domain alone.
 *
 * @param input `returnTo` is a path of this site.
 * @returns null if no workspace has verified the domain, or the one that has uses no provider.
 * @throws {DomainError} rate_limited; unavailable if the provider can't be reached.
 */
export async function beginSignIn(
  services: OidcServices,
  { email: address, remember, returnTo }: SignInInput,
  seen: ClientInfo,
): Promise<BegunSignIn | null> {
  await countPlace(services, seen);
  const parsed = email.safeParse(address.trim());
  if (!parsed.success) return null;
  const [row] = await services.database.run(FIND_BY_DOMAIN, [getDomain(parsed.data)]);
  if (row === undefined) return null;
  const attempt = { familyId: null, returnTo, remember };
  return begin(services, row, { attempt, parameters: { login_hint: parsed.data } });
}

const FIND_BY_DOMAIN = sql<ProviderRow>`
SELECT ${PROVIDER} FROM sign_in_domain d
JOIN sign_in_provider p ON p.workspace_id = d.workspace_id
JOIN workspace w ON w.id = d.workspace_id
WHERE d.domain = $1 AND d.verified_at IS NOT NULL AND w.suspended_at IS NULL`;

/** The part of an address after its last @, in lower case. */
export function getDomain(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/**
 * Begins to confirm the caller's session: the provider is asked to authenticate the person again.
 *
 * @returns null if the session did not begin at the workspace's provider.
 * @throws {DomainError} forbidden unless the caller is a person; rate_limited; unavailable.
 */
export async function beginConfirmation(
  services: OidcServices,
  ctx: Ctx,
  returnTo: string,
): Promise<BegunSignIn | null> {
  await countPlace(services, ctx);
  const row = await findSessionProvider(ctx);
  if (row === null) return null;
  const { familyId } = requireUser(ctx).session;
  return begin(services, row, {
    attempt: { familyId, returnTo, remember: false },
    parameters: { max_age: "0" },
  });
}

/** The provider at which the caller's session began, if it is still the workspace's. */
export async function findSessionProvider(ctx: Ctx): Promise<ProviderRow | null> {
  const [row = null] = await ctx.read(FIND_BY_SESSION, [ctx.workspaceId, requireUser(ctx).session.id]);
  return row;
}

const FIND_BY_SESSION = sql<ProviderRow>`
SELECT ${PROVIDER} FROM users_tokens t
JOIN sign_in_provider p ON p.workspace_id = t.workspace_id AND p.id = t.provider_id
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;

async function countPlace(services: OidcServices, { ip }: Pick<ClientInfo, "ip">): Promise<void> {
  const place = { key: `sign-in:ip:${addressKey(ip)}`, limit: ATTEMPTS_PER_PLACE };
  if ((await takeHit(services, place)) === null) throw createLimitError();
}

function createLimitError(): DomainError {
  return new DomainError("rate_limited", "Too many sign-ins were started. Try again in 15 minutes.");
}

type Beginning = {
  attempt: { familyId: string | null; returnTo: string; remember: boolean };
  parameters: Record<string, string>;
};

async function begin(
  services: OidcServices,
  row: ProviderRow,
  { attempt, parameters }: Beginning,
): Promise<BegunSignIn> {
  const throttle = { key: `sign-in:provider:${row.id}`, limit: ATTEMPTS_PER_PROVIDER };
  if ((await takeHit(services, throttle)) === null) throw createLimitError();
  const secret = randomBytes(32).toString("base64url");
  const { digest, state, nonce, verifier } = deriveAttempt(secret);
  const challenge = await oidc.calculatePKCECodeChallenge(verifier);
  const url = await services.providerClients.use(row, async (client) =>
    buildUrl(client, {
      redirect_uri: services.baseUrl() + CALLBACK_PATH,
      scope: "openid email profile",
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...parameters,
    }),
  );
  const { familyId, returnTo, remember } = attempt;
  const inserted = await services.database.run(INSERT, [
    ...[digest, row.workspaceId, row.id, familyId, returnTo, remember],
    services.now,
  ]);
  if (inserted.length === 0) throw createLimitError();
  return { url, secret };
}

/** The provider names the page, and it becomes a link. */
function buildUrl(client: oidc.Configuration, parameters: Record<string, string>): URL {
  try {
    const url = oidc.buildAuthorizationUrl(client, parameters);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // There is none, or it is no URL.
  }
  throw new DomainError(
    "unavailable",
    "Your company's sign-in is not set up correctly. Ask an admin of your workspace.",
  );
}

const INSERT = sql<{ digest: Uint8Array }>`
INSERT INTO sign_in_attempt (digest, workspace_id, provider_id, family_id, return_to, remembered, created_at, expires_at)
SELECT $1, $2::uuid, $3::uuid, $4::uuid, $5, $6::boolean, at, at + interval '${ATTEMPT_SECONDS} seconds'
FROM (SELECT ${NOW}::timestamptz(3) AS at) c
WHERE (SELECT count(*) FROM sign_in_attempt a WHERE a.provider_id = $3::uuid AND a.expires_at > c.at) < ${MOST_PENDING}
RETURNING digest`;
