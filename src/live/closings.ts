/** The code and reason with which a socket is closed. */
export type Closing = { code: number; reason: string };

/** The longest delay before clients should reconnect. */
const RECONNECT_MS = 5000;
/** A close frame's reason has at most 123 bytes, and a truncated character becomes a replacement of three. */
const REASON_BYTES = 120;

/** Revocation reasons after which the same caller may reconnect at once with a new look-up. */
const REAUTHENTICATE = new Set([
  "role_changed",
  "scopes_narrowed",
  // Another key of the lineage was revoked. Sockets that depend on it fail when they reconnect.
  "lineage_changed",
  "ip_allowlist_changed",
  // This browser has a new session. Other sessions fail when they reconnect.
  "password_changed",
  "workspace_suspended",
  // The session goes on, but may do nothing until there is another second factor.
  "mfa_required",
]);

/**
 * Clients of graphql-ws reconnect after 1012, 1013, 4290 and 4403, and not after 4400 and 4401.
 *
 * @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export const CLOSINGS = {
  badRequest: { code: 4400, reason: "bad_request" },
  unauthenticated: { code: 4401, reason: "unauthenticated" },
  forbidden: { code: 4403, reason: "forbidden" },
  /** The person must add a second factor first. */
  mfaRequired: { code: 4403, reason: "mfa_required" },
  workspaceSuspended: { code: 4403, reason: "workspace_suspended" },
  /** The credential has expired, or the socket has been open for a day. */
  expired: { code: 4403, reason: "reauth_required" },
  tooManySockets: { code: 1013, reason: "too_many_sockets" },
  unavailable: { code: 1013, reason: "unavailable" },
  restarting: { code: 1012, reason: "restarting" },
  /** A person's session was replaced, and the browser uses its successor. */
  superseded: { code: 4403, reason: "reauth_required" },
  revoked: (reason: string): Closing =>
    REAUTHENTICATE.has(reason)
      ? { code: 4403, reason: "reauth_required" }
      : { code: 4401, reason: "credential_revoked" },
  slow: (cursor: string): Closing => ({ code: 4290, reason: cursor }),
} as const;

/**
 * Formats a close reason. If the client should reconnect later, adds a random delay in milliseconds, so
 * that clients that were closed together don't reconnect together.
 *
 * @returns such as `restarting retryAfterMs=1734`.
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.5
 */
export function formatCloseReason({ code, reason }: Closing): string {
  const isForLater = code === CLOSINGS.restarting.code || code === CLOSINGS.unavailable.code;
  const shown = isForLater ? `${reason} retryAfterMs=${Math.round(Math.random() * RECONNECT_MS)}` : reason;
  return Buffer.from(shown).subarray(0, REASON_BYTES).toString();
}
