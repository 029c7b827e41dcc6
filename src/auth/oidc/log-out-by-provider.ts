import { sql } from "../../db/sql.ts";
import { type Transaction, openCtx, systemCaller } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { addressKey, giveBack, takeHit } from "../../domain/kernel/throttle.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { describeEnded } from "../sessions/end-sessions.ts";
import { TokenRequestError } from "../workloads/token-request-error.ts";
import { type LogoutToken, createRefusal, readLogoutToken, verifyLogoutToken } from "./logout-token.ts";
import type { OidcServices } from "./oidc-services.ts";

/** Refused tokens of one issuer and client, or of unknown ones, from one IP address within 15 minutes. */
const FAILURES_PER_PLACE = 300;
const THROTTLED_SECONDS = 60;

type Provider = { workspaceId: string; id: string };

/**
 * Ends the sessions that a provider's logout token names, with their sockets, on every node: those of a person that
 * began at the provider, or one of them. It is fine if there are none.
 *
 * @throws {TokenRequestError} invalid_request for a token that is not accepted, or was used; slow_down after 300 of them
 *   of an issuer and client from an IP address within 15 minutes.
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html
 */
export async function logOutByProvider(
  services: OidcServices,
  token: string,
  seen: ClientInfo,
): Promise<void> {
  const now = services.now ?? services.live.now();
  const read = readLogoutToken(token, now);
  const providers = await services.database.run(FIND, [read.issuer, read.clientId]);
  // Hosted providers send all their customers' tokens from the same addresses.
  const sender = providers.length === 0 ? "" : ` ${read.issuer} ${read.clientId}`;
  const place = { key: `sign-in:logout:${addressKey(seen.ip)}${sender}`, limit: FAILURES_PER_PLACE };
  // Before the token is verified: otherwise many at once would all pass.
  const hit = await takeHit(services, place);
  if (hit === null) {
    throw new TokenRequestError("slow_down", "Too many logout tokens were refused.", THROTTLED_SECONDS);
  }
  if (providers.length === 0) throw createRefusal("Nobody signs in by this issuer and client.");
  await verifyLogoutToken(token, read, { issuerKeys: services.issuerKeys, now });
  let uses = 0;
  for (const provider of providers) if (await use(services, { provider, read, seen })) uses++;
  if (uses === 0) throw createRefusal("The logout token was used already.");
  await giveBack(services, hit);
}

/** Several workspaces may have the same provider. */
const FIND = sql<Provider>`
SELECT p.workspace_id AS "workspaceId", p.id FROM sign_in_provider p JOIN workspace w ON w.id = p.workspace_id
WHERE p.issuer = $1 AND p.client_id = $2 AND w.suspended_at IS NULL ORDER BY p.workspace_id`;

type Use = { provider: Provider; read: LogoutToken; seen: ClientInfo };

/** @returns whether this is the token's first use in the workspace. */
async function use(services: OidcServices, { provider, read, seen }: Use): Promise<boolean> {
  const caller = { ...systemCaller(provider.workspaceId, "sign-in provider"), ...seen };
  const ctx = openCtx(services, caller, services.now);
  const { workspaceId, id } = provider;
  return ctx.transaction(async (tx) => {
    const [first] = await tx.run(INSERT, [workspaceId, id, read.digest, read.expiresAt]);
    if (first === undefined) return false;
    for (const userId of await findPeople(tx, { provider, read })) await end(tx, userId, { provider, read });
    return true;
  }, "urgent");
}

/** Nothing is inserted for a provider that was deleted meanwhile. */
const INSERT = sql<{ id: string }>`
INSERT INTO used_logout_token (workspace_id, provider_id, digest, expires_at)
SELECT workspace_id, id, $3, $4 FROM sign_in_provider WHERE workspace_id = $1::uuid AND id = $2::uuid
ON CONFLICT DO NOTHING RETURNING provider_id AS id`;

type Named = Pick<Use, "provider" | "read">;

async function findPeople({ run }: Transaction, { provider, read }: Named): Promise<string[]> {
  const { workspaceId, id } = provider;
  const found =
    read.subject === null
      ? await run(FIND_BY_SID, [workspaceId, id, read.sid])
      : await run(FIND_BY_SUBJECT, [workspaceId, id, read.subject]);
  return found.map(({ userId }) => userId);
}

const FIND_BY_SUBJECT = sql<{ userId: string }>`
SELECT i.user_id AS "userId" FROM user_identity i
JOIN "user" u ON u.workspace_id = i.workspace_id AND u.id = i.user_id
WHERE i.workspace_id = $1::uuid AND i.provider_id = $2::uuid AND i.subject = $3 AND u.deleted_at IS NULL`;

const FIND_BY_SID = sql<{ userId: string }>`
SELECT DISTINCT user_id AS "userId" FROM users_tokens
WHERE workspace_id = $1::uuid AND provider_id = $2::uuid AND provider_sid = $3 ORDER BY user_id`;

async function end(tx: Transaction, userId: string, { provider, read }: Named): Promise<void> {
  await lockUser(tx, userId);
  const ended = await tx.run(DELETE, [provider.workspaceId, userId, provider.id, read.sid, read.subject]);
  if (ended.length > 0) append(tx, describeEnded(ended, "provider_logged_out"));
}

/** Sessions of which the provider told no id can't be told apart: with a subject, all of them end. */
const DELETE = sql<{ id: string; userId: string }>`
DELETE FROM users_tokens
WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND context = 'session' AND provider_id = $3::uuid
  AND ($4::text IS NULL OR provider_sid = $4 OR ($5::text IS NOT NULL AND provider_sid IS NULL))
RETURNING id, user_id AS "userId"`;
