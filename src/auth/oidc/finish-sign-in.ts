import * as oidc from "openid-client";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, NewSession } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { takeHit, addressKey } from "../../domain/kernel/throttle.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { confirmSession } from "../sessions/confirm-password.ts";
import { logOut } from "../sessions/log-out.ts";
import { type AttemptSecret, deriveAttempt } from "./attempt-secret.ts";
import { CALLBACK_PATH, type OidcServices } from "./oidc-services.ts";
import type { ProviderRow } from "./provider-clients.ts";
import { type Claims, signInPerson } from "./sign-in-person.ts";

/** An attempt that a browser came back from, with its provider. It is deleted. */
type Attempt = ProviderRow & {
  servesOwners: boolean;
  createsViewers: boolean;
  familyId: string | null;
  returnTo: string;
  remembered: boolean;
  /** Seconds since it began. */
  age: number;
};

/** What a browser sent when it came back. */
export type SignInReturn = {
  /** Of its cookie; null without one. */
  secret: string | null;
  /** The query with which the provider sent it. */
  query: URLSearchParams;
  /** The browser's session, if it has one. */
  visitor: Ctx | null;
};

/** `session`: a new one; null if the visitor's was confirmed. */
export type FinishedSignIn = { session: NewSession | null; returnTo: string };

const RETURNS_PER_PLACE = 200;

/**
 * Finishes a sign-in or a confirmation with what the provider says. An attempt is used once, by its own browser.
 *
 * @throws {DomainError} invalid_request for an attempt that is another browser's, used or expired; rate_limited;
 *   unavailable if the provider can't be reached, or says what can't be believed; forbidden if the person may not sign
 *   in.
 */
export async function finishSignIn(
  services: OidcServices,
  { secret, query, visitor }: SignInReturn,
  seen: ClientInfo,
): Promise<FinishedSignIn> {
  const place = { key: `sign-in:return:${addressKey(seen.ip)}`, limit: RETURNS_PER_PLACE };
  if ((await takeHit(services, place)) === null) {
    throw new DomainError("rate_limited", "Too many sign-ins. Try again in 15 minutes.");
  }
  const own = secret === null ? null : deriveAttempt(secret);
  // Otherwise a link on another page could use up the attempt of whoever follows it.
  if (own === null || query.get("state") !== own.state) throw createAttemptError();
  const [attempt] = await services.database.run(TAKE, [own.digest, services.now]);
  if (attempt === undefined) throw createAttemptError();
  const claims = await readClaims(services, attempt, { own, query });
  const { returnTo } = attempt;
  if (attempt.familyId !== null) {
    await confirm(attempt, claims, visitor);
    return { session: null, returnTo };
  }
  const session = await signInPerson(services, { ...attempt, claims }, seen);
  if (visitor !== null) await logOut(visitor);
  return { session, returnTo };
}

function createAttemptError(): DomainError {
  return new DomainError(
    "invalid_request",
    "This sign-in was started in another browser or tab, was used already, or took longer than ten minutes. Start again.",
  );
}

const TAKE = sql<Attempt>`
WITH taken AS (
  DELETE FROM sign_in_attempt WHERE digest = $1
  RETURNING workspace_id, provider_id, family_id, return_to, remembered, created_at, expires_at
)
SELECT p.workspace_id AS "workspaceId", p.id, p.issuer, p.client_id AS "clientId",
  p.sealed_client_secret AS "sealedClientSecret", p.generation, p.serves_owners AS "servesOwners",
  p.creates_viewers AS "createsViewers", t.family_id AS "familyId", t.return_to AS "returnTo", t.remembered,
  EXTRACT(epoch FROM ${NOW} - t.created_at)::float8 AS age
FROM taken t
JOIN sign_in_provider p ON p.workspace_id = t.workspace_id AND p.id = t.provider_id
JOIN workspace w ON w.id = p.workspace_id
WHERE t.expires_at > ${NOW} AND w.suspended_at IS NULL`;

type Returned = { own: AttemptSecret; query: URLSearchParams };

/** Redeems the code, and verifies the ID token. */
async function readClaims(services: OidcServices, attempt: Attempt, returned: Returned): Promise<Claims> {
  try {
    return await services.providerClients.use(attempt, (client) =>
      redeem(client, new URL(services.baseUrl() + CALLBACK_PATH), { ...returned, attempt }),
    );
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    services.log.info({ provider: attempt.id, code }, "a sign-in was refused");
    throw toRefusal(error);
  }
}

async function redeem(
  client: oidc.Configuration,
  url: URL,
  { own, query, attempt }: Returned & { attempt: Attempt },
): Promise<Claims> {
  url.search = query.toString();
  const tokens = await oidc.authorizationCodeGrant(client, url, {
    expectedState: own.state,
    expectedNonce: own.nonce,
    pkceCodeVerifier: own.verifier,
    idTokenExpected: true,
    // The person has authenticated after the attempt began.
    ...(attempt.familyId !== null && { maxAge: Math.ceil(attempt.age) }),
  });
  const claims = tokens.claims();
  const { id_token: idToken } = tokens;
  if (claims === undefined || idToken === undefined) throw new Error("there is no ID token");
  const { sub, auth_time: authTime, sid } = claims;
  const told = { sub, authTime, sid, idToken };
  if (claims["email"] !== undefined || attempt.familyId !== null) return { ...pick(claims), ...told };
  // Some providers tell the address only here.
  if (client.serverMetadata().userinfo_endpoint === undefined) return { ...pick({}), ...told };
  return { ...pick(await oidc.fetchUserInfo(client, tokens.access_token, sub)), ...told };
}

function pick(claims: Record<string, unknown>): Pick<Claims, "email" | "isEmailVerified" | "name"> {
  const { email, email_verified: isVerified, name } = claims;
  return {
    email: typeof email === "string" ? email : null,
    isEmailVerified: isVerified === true,
    name: typeof name === "string" ? name : null,
  };
}

/** What is wrong, in words. The provider's own texts are not shown: anybody can send them in a link. */
function toRefusal(error: unknown): DomainError {
  if (error instanceof oidc.AuthorizationResponseError) {
    return error.error === "access_denied"
      ? new DomainError("forbidden", "Your company's sign-in did not allow this, or you canceled it.")
      : new DomainError("unavailable", "Your company's sign-in reported an error. Start again.");
  }
  if (error instanceof oidc.ResponseBodyError && error.error === "invalid_grant") {
    return new DomainError("invalid_request", "This sign-in was used already or has expired. Start again.");
  }
  return new DomainError(
    "unavailable",
    "The answer of your company's sign-in could not be verified, so you are not logged in. Start again. If it happens again, ask an admin of your workspace.",
  );
}

/** Confirms the session that asked for it, by the person whose it is. */
async function confirm(attempt: Attempt, { sub }: Claims, visitor: Ctx | null): Promise<void> {
  if (visitor === null || requireUser(visitor).session.familyId !== attempt.familyId) {
    throw createAttemptError();
  }
  const { workspaceId, id } = attempt;
  const [known] = await visitor.read(FIND_USER, [workspaceId, id, sub]);
  if (known === undefined || known.userId !== requireUser(visitor).id) {
    throw new DomainError("forbidden", "You signed in as somebody else. Confirm with your own account.");
  }
  await confirmSession(visitor);
}

const FIND_USER = sql<{ userId: string }>`
SELECT user_id AS "userId" FROM user_identity
WHERE workspace_id = $1::uuid AND provider_id = $2::uuid AND subject = $3`;
