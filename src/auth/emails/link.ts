import { randomBytes } from "node:crypto";
import type { UserTokenContext } from "../../db/generated/enums.ts";
import { hashSecret } from "../credentials.ts";

/** What a mailed link is for. */
export type LinkContext = Exclude<UserTokenContext, "session">;

/** The page that a link of each kind opens; its token follows. */
export const LINK_PATHS = {
  reset_password: "/users/reset-password/",
  email_change: "/users/confirm-email/",
  invitation: "/users/invitation/",
} as const satisfies Record<LinkContext, string>;

/** Makes the token of a link: 256 random bits as 43 characters of base64url. */
export function createLinkToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a link's token, or null for what can't be one. Its characters count, not the bytes they stand for. */
export function hashLinkToken(token: string): Uint8Array<ArrayBuffer> | null {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? hashSecret(token) : null;
}

/**
 * Whether a link works, as a condition over users_tokens `t`, its "user" `u` and the workspace `w`: not
 * expired, sent to the address that the person has (but for a change of it), and of a person who may
 * log in and whose password is still the one of then.
 *
 * @param now the number of the parameter that is null in production.
 */
export function validLinkCondition(now: `$${number}`): string {
  return `t.expires_at > COALESCE(${now}::timestamptz, now()) AND t.auth_epoch = u.auth_epoch
    AND (t.context = 'email_change' OR t.sent_to = u.email)
    AND u.suspended_at IS NULL AND u.deleted_at IS NULL AND w.suspended_at IS NULL`;
}
