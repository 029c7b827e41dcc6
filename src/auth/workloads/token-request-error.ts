/** Error codes of a token request. `slow_down` and `temporarily_unavailable` are for requests to be repeated later. */
export type TokenErrorCode =
  | "invalid_request"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unsupported_grant_type"
  | "slow_down"
  | "temporarily_unavailable";

/**
 * Why a request gets no access token, or a provider's logout token is not accepted.
 *
 * @see RFC 6749, 5.2; RFC 8693, 2.2.2; RFC 8628, 3.5.
 */
export class TokenRequestError extends Error {
  readonly code: TokenErrorCode;
  /** After how long the request may be repeated. */
  readonly retryAfterSeconds: number | null;

  constructor(code: TokenErrorCode, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = "TokenRequestError";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
