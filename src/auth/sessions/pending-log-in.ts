import { randomBytes } from "node:crypto";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import type { Role } from "../../domain/kernel/scopes.ts";
import { hashSecret } from "../credentials.ts";
import type { SessionServices } from "./session-services.ts";

/** A log-in whose password was right, for the browser with its cookie. */
export type PendingLogIn = {
  digest: Uint8Array<ArrayBuffer>;
  workspaceId: string;
  userId: string;
  name: string;
  email: string | null;
  role: Role;
  authEpoch: number;
  remembered: boolean;
  returnTo: string;
  /** Whether the person can use a passkey instead of a code. */
  hasPasskey: boolean;
};

/** How long the second factor may take, in seconds. */
export const PENDING_SECONDS = 600;
/** Codes that may be tried in one log-in. */
export const TRIES = 5;
/** Log-ins of a person that wait at once. The oldest end. */
const MOST_PENDING = 100;

/**
 * Inserts a log-in that waits for the second factor of a person whom the caller has locked.
 *
 * @returns the secret for the browser's cookie. Only its digest is stored.
 * @throws {DomainError} unauthenticated if the account was suspended or its password changed since the epoch was read.
 */
export async function insertPendingLogIn(
  tx: Transaction,
  input: Pick<PendingLogIn, "userId" | "authEpoch" | "remembered" | "returnTo">,
): Promise<string> {
  const { userId, authEpoch, remembered, returnTo } = input;
  const { workspaceId } = tx.ctx;
  const secret = randomBytes(32).toString("base64url");
  const values = [workspaceId, userId, hashSecret(secret), authEpoch, remembered, returnTo];
  const inserted = await tx.run(INSERT, values);
  if (inserted.length === 0)
    throw new DomainError("unauthenticated", "The password or the account has changed.");
  await tx.run(DELETE_OLDEST, [workspaceId, userId]);
  return secret;
}

const INSERT = sql<{ digest: Uint8Array }>`
INSERT INTO pending_log_in (digest, workspace_id, user_id, auth_epoch, remembered, return_to, created_at, expires_at)
SELECT $3, u.workspace_id, u.id, u.auth_epoch, $5::boolean, $6, at, at + interval '${PENDING_SECONDS} seconds'
FROM "user" u CROSS JOIN (SELECT ${NOW}::timestamptz(3) AS at) c
WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid AND u.auth_epoch = $4 AND u.suspended_at IS NULL
RETURNING digest`;

const DELETE_OLDEST = sql`
DELETE FROM pending_log_in WHERE digest IN (
  SELECT digest FROM pending_log_in WHERE workspace_id = $1::uuid AND user_id = $2::uuid
  ORDER BY created_at DESC, digest OFFSET ${MOST_PENDING})`;

/** Whether the log-in may still be finished, over pending_log_in `p`, its "user" `u` and the workspace `w`. */
const IS_OPEN = `p.expires_at > ${NOW} AND p.tries < ${TRIES} AND p.auth_epoch = u.auth_epoch
  AND u.suspended_at IS NULL AND u.deleted_at IS NULL AND w.suspended_at IS NULL`;

/** Finds the log-in of a browser's cookie. Returns null if it has ended. Writes nothing. */
export async function findPendingLogIn(
  { database, now }: SessionServices,
  secret: string,
): Promise<PendingLogIn | null> {
  const digest = hashSecret(secret);
  const [row] = await database.run(FIND, [digest, now]);
  return row === undefined ? null : { ...row, digest };
}

const FIND = sql<Omit<PendingLogIn, "digest">>`
SELECT p.workspace_id AS "workspaceId", p.user_id AS "userId", COALESCE(u.name, u.email, u.user_name, '') AS name,
  u.email, u.role::text, p.auth_epoch AS "authEpoch", p.remembered, p.return_to AS "returnTo",
  EXISTS (SELECT 1 FROM passkey k WHERE k.workspace_id = p.workspace_id AND k.user_id = p.user_id) AS "hasPasskey"
FROM pending_log_in p
JOIN "user" u ON u.workspace_id = p.workspace_id AND u.id = p.user_id
JOIN workspace w ON w.id = p.workspace_id
WHERE p.digest = $1 AND ${IS_OPEN}`;

/**
 * Counts a try of a log-in that was found, before the code is verified.
 *
 * @returns whether it is the last one; null if the log-in has ended.
 */
export async function takeTry(
  tx: Transaction,
  { digest }: PendingLogIn,
): Promise<{ isLast: boolean } | null> {
  const [taken] = await tx.run(TAKE, [tx.ctx.workspaceId, digest]);
  return taken === undefined ? null : { isLast: taken.tries >= TRIES };
}

const TAKE = sql<{ tries: number }>`
UPDATE pending_log_in p SET tries = p.tries + 1 FROM "user" u, workspace w
WHERE p.workspace_id = $1::uuid AND p.digest = $2 AND u.workspace_id = p.workspace_id AND u.id = p.user_id
  AND w.id = p.workspace_id AND ${IS_OPEN}
RETURNING p.tries`;

/** Ends a log-in. */
export async function endPendingLogIn({ db }: Transaction, { digest }: PendingLogIn): Promise<void> {
  await db.pendingLogIn.deleteMany({ where: { digest } });
}
