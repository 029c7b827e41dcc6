import { sql } from "../../db/sql.ts";
import type { Ctx, NewSession, Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import type { Role } from "../../domain/kernel/scopes.ts";
import { addressKey, takeHit } from "../../domain/kernel/throttle.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { createSessionlessCtx } from "../create-sessionless-ctx.ts";
import { beginSession } from "../sessions/begin-session.ts";
import { catchChange } from "../sessions/catch-change.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { logOut } from "../sessions/log-out.ts";
import type { SessionServices } from "../sessions/session-services.ts";
import { createRequestOptions } from "../vendor/webauthn.ts";
import { type ChallengeUse, createChallenge, runAt } from "./challenges.ts";
import { parsePasskeyResponse } from "./passkey-response.ts";
import { requireSite } from "./site.ts";
import { usePasskey } from "./use-passkey.ts";

/** Log-ins that are begun from one IP address, which a whole office may share, within 15 minutes. */
const LOG_INS_PER_PLACE = 100;
const USE: ChallengeUse = { purpose: "log-in", subject: "" };

/**
 * Begins a log-in by a passkey alone: the browser offers those that it has for this site.
 *
 * @returns the options for the browser, as PublicKeyCredentialRequestOptionsJSON. They are good for five minutes.
 * @throws {DomainError} rate_limited; invalid_state where there are no passkeys.
 */
export async function beginPasskeyLogIn(services: SessionServices, seen: ClientInfo): Promise<object> {
  const site = requireSite(services);
  const place = { key: `passkey:ip:${addressKey(seen.ip)}`, limit: LOG_INS_PER_PLACE };
  if ((await takeHit(services, place)) === null) {
    throw new DomainError("rate_limited", "Too many log-ins were started. Try again in 15 minutes.");
  }
  const challenge = await createChallenge(runAt(services), USE);
  return createRequestOptions({ site, challenge, isUserVerified: true }, []);
}

type Account = {
  workspaceId: string;
  id: string;
  name: string;
  email: string | null;
  role: Role;
  authEpoch: number;
};

type PasskeyLogIn = {
  response: string;
  remember: boolean;
  /** The browser's previous session, which the new one replaces. */
  replaces: Ctx | null;
};

/**
 * Logs a person in by a passkey alone, with which the authenticator has verified them.
 *
 * @returns null if it is refused. No reason is stated.
 */
export async function logInByPasskey(
  services: SessionServices,
  { response, remember, replaces }: PasskeyLogIn,
  seen: ClientInfo,
): Promise<NewSession | null> {
  const parsed = parsePasskeyResponse(response);
  if (parsed === null) return null;
  const { requireConfirmed } = services.sessions;
  const [account] = await services.database.run(FIND, [parsed.credentialId, requireConfirmed]);
  if (account === undefined) return null;
  const ctx = createSessionlessCtx(services, account, seen);
  const { maxDays } = services.sessions;
  const entering = ctx.transaction((tx) => enter(tx, account, { response, remember, maxDays }));
  const session = await catchChange(entering, null);
  if (session !== null && replaces !== null) await logOut(replaces);
  return session;
}

async function enter(
  tx: Transaction,
  { id: userId, authEpoch }: Account,
  { response, remember, maxDays }: { response: string; remember: boolean; maxDays: number },
): Promise<NewSession | null> {
  const user = await lockUser(tx, userId);
  if (!(await usePasskey(tx, user, { response, use: USE, isUserVerified: true }))) return null;
  return beginSession(tx, {
    userId,
    authEpoch,
    sentTo: user.email,
    remembered: remember,
    authenticatedAt: null,
    providerId: null,
    factor: "passkey",
    maxDays,
  });
}

const FIND = sql<Account>`
SELECT u.workspace_id AS "workspaceId", u.id, COALESCE(u.name, u.email, u.user_name, '') AS name, u.email,
  u.role::text, u.auth_epoch AS "authEpoch"
FROM passkey p
JOIN "user" u ON u.workspace_id = p.workspace_id AND u.id = p.user_id
JOIN workspace w ON w.id = p.workspace_id
WHERE p.credential_id = $1 AND u.suspended_at IS NULL AND u.deleted_at IS NULL AND w.suspended_at IS NULL
  AND (NOT $2 OR u.confirmed_at IS NOT NULL)`;
