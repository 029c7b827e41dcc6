/** How a socket is closed. */
export type Closing = { code: number; reason: string };

/** When those who are sent away may come back, at most. */
const RECONNECT_MS = 5000;
/** A close frame holds 123 bytes of a reason, and a character that is cut in two becomes one of three. */
const REASON_BYTES = 120;

/** Reasons after which the same person or agent may come back at once, and be looked at anew. */
const REAUTHENTICATE = new Set([
  "role_changed",
  "scopes_narrowed",
  // Another key of the lineage has ended: what stood on that one is refused when it comes back.
  "lineage_changed",
  "ip_allowlist_changed",
  // This browser has been given another session; the others are refused when they come back.
  "password_changed",
  "workspace_suspended",
]);

/**
 * The ways in which sockets are closed. Clients of graphql-ws come back after 1012, 1013, 4290 and 4403, and
 * stay away after 4400 and 4401.
 *
 * @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export const CLOSINGS = {
  badRequest: { code: 4400, reason: "bad_request" },
  unauthenticated: { code: 4401, reason: "unauthenticated" },
  forbidden: { code: 4403, reason: "forbidden" },
  workspaceSuspended: { code: 4403, reason: "workspace_suspended" },
  /** The credential, or the day that a socket lives at most, is over. */
  expired: { code: 4403, reason: "reauth_required" },
  tooManySockets: { code: 1013, reason: "too_many_sockets" },
  unavailable: { code: 1013, reason: "unavailable" },
  restarting: { code: 1012, reason: "restarting" },
  /** A person's session has been replaced by one that the browser uses. */
  superseded: { code: 4403, reason: "reauth_required" },
  revoked: (reason: string): Closing =>
    REAUTHENTICATE.has(reason)
      ? { code: 4403, reason: "reauth_required" }
      : { code: 4401, reason: "credential_revoked" },
  slow: (cursor: string): Closing => ({ code: 4290, reason: cursor }),
} as const;

/**
 * The reason as it is sent. To whom it says that he may come back later it also says when, in milliseconds: at
 * another moment to each, so that those who were sent away together do not come back together.
 *
 * @returns such as `restarting retryAfterMs=1734`.
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.5
 */
export function formatCloseReason({ code, reason }: Closing): string {
  const isForLater = code === CLOSINGS.restarting.code || code === CLOSINGS.unavailable.code;
  const shown = isForLater ? `${reason} retryAfterMs=${Math.round(Math.random() * RECONNECT_MS)}` : reason;
  return Buffer.from(shown).subarray(0, REASON_BYTES).toString();
}
