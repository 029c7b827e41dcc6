import { NOW } from "../../db/sql.ts";
import { randomBytes } from "node:crypto";
import type { UserTokenContext } from "../../db/generated/enums.ts";
import { hashSecret } from "../credentials.ts";
import { MAY_USE_PASSWORD } from "../oidc/password-use.ts";

/** The purpose of a mailed link. */
export type LinkContext = Exclude<UserTokenContext, "session">;

/** The page that each kind of link opens, without the token. */
export const LINK_PATHS = {
  reset_password: "/users/reset-password/",
  email_change: "/users/confirm-email/",
  invitation: "/users/invitation/",
} as const satisfies Record<LinkContext, string>;

/** Creates a link's token: 256 random bits as 43 characters of base64url. */
export function createLinkToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Returns the digest that is stored of a link's token, or null if the text can't be one. Hashes the
 * characters, not the decoded bytes.
 */
export function hashLinkToken(token: string): Uint8Array<ArrayBuffer> | null {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? hashSecret(token) : null;
}

/**
 * SQL condition for a valid link, over users_tokens `t`, its "user" `u` and the workspace `w`: not expired,
 * sent to the person's current address (except email changes), and the person may log in and has not
 * changed the password since. Links that set a password need a person who may use one.
 */
export const IS_LINK_VALID = `t.expires_at > ${NOW} AND t.auth_epoch = u.auth_epoch
  AND (t.context = 'email_change' OR (t.sent_to = u.email AND ${MAY_USE_PASSWORD}))
  AND u.suspended_at IS NULL AND u.deleted_at IS NULL AND w.suspended_at IS NULL`;
