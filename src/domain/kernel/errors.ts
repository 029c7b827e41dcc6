/**
 * Every way in which the service refuses, in one list. A door shows the key as its own kind of code:
 * REST as `lease_lost` and `/problems/lease-lost`, GraphQL as `LEASE_LOST`.
 */
export const ERRORS = {
  unauthenticated: { status: 401, title: "Authentication required" },
  invalid_token: { status: 401, title: "Invalid token" },
  invalid_request: { status: 400, title: "Invalid request" },
  invalid_parameter: { status: 400, title: "Invalid parameter" },
  invalid_body: { status: 400, title: "Invalid body" },
  invalid_scope: { status: 400, title: "Invalid scope" },
  invalid_filter: { status: 400, title: "Invalid filter" },
  invalid_count: { status: 400, title: "Invalid count" },
  invalid_cursor: { status: 400, title: "Invalid cursor" },
  invalid_path: { status: 400, title: "Invalid path" },
  no_target: { status: 400, title: "Nothing to change there" },
  immutable_attribute: { status: 400, title: "Attribute can't be changed" },
  api_key_required: { status: 403, title: "API key required" },
  insufficient_scope: { status: 403, title: "Insufficient scope" },
  forbidden: { status: 403, title: "Forbidden" },
  sudo_required: { status: 403, title: "Password required again" },
  workspace_suspended: { status: 403, title: "Workspace suspended" },
  ip_not_allowed: { status: 403, title: "Address not allowed" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  already_exists: { status: 409, title: "Already exists" },
  id_conflict: { status: 409, title: "Id already used" },
  invalid_state: { status: 409, title: "Invalid state" },
  lease_lost: { status: 409, title: "Lease lost" },
  not_a_robot: { status: 409, title: "Not a robot" },
  unresolved_reference: { status: 409, title: "Reference to nothing" },
  token_limit: { status: 409, title: "Too many tokens" },
  idempotency_conflict: { status: 409, title: "Request still in progress" },
  cursor_expired: { status: 410, title: "Cursor expired" },
  precondition_failed: { status: 412, title: "Changed meanwhile" },
  payload_too_large: { status: 413, title: "Payload too large" },
  uri_too_long: { status: 414, title: "URI too long" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  misdirected_request: { status: 421, title: "Misdirected request" },
  unknown_field: { status: 422, title: "Unknown field" },
  validation_failed: { status: 422, title: "Validation failed" },
  idempotency_mismatch: { status: 422, title: "Idempotency key reused" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Internal error" },
  not_implemented: { status: 501, title: "Not implemented" },
  unavailable: { status: 503, title: "Temporarily unavailable" },
} as const;

/** A key of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** One thing that is wrong with an input: `field` is a path such as `parts.0.text`. */
export type FieldError = { field: string; detail: string };

/** A token that an agent has, without its secret. */
export type HeldToken = {
  id: string;
  name: string | null;
  createdAt: Date;
  expiresAt: Date;
  /** To the minute. */
  lastUsedAt: Date | null;
};

/** What a refusal tells beside its message. */
export type ErrorDetails = {
  field?: string;
  errors?: FieldError[];
  /** The scope that is missing. */
  scope?: string;
  /** For a cursor that is dead: the oldest that lives. */
  oldestCursor?: string;
  /** For a token that was known once: why it is dead. */
  description?: string;
  /** Where the thing stands that can't be done with it what was asked for. */
  currentStatus?: string;
  /** The statuses in which it can. */
  allowed?: readonly string[];
  /** The oldest tokens of an agent that has too many. */
  tokens?: readonly HeldToken[];
};

/** A refusal that the caller caused and may read. Anything else that is thrown is a bug. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = "DomainError";
    this.code = code;
    this.details = details;
  }
}

/** The refusal for an id that does not exist, or that is another workspace's. */
export function createNotFoundError(what: string): DomainError {
  return new DomainError("not_found", `There is no such ${what}.`);
}

/** The refusal of a body that has too many bytes, or that a node has no room for. */
export function createBodyError(why: "too large" | "no room", maxBytes: number): DomainError {
  return why === "too large"
    ? new DomainError("payload_too_large", `The body is too large. At most ${maxBytes} bytes are allowed.`)
    : new DomainError("unavailable", "Too many large requests at once. Try again in a few seconds.");
}

/** The refusal of a well-formed input that breaks one rule. */
export function createFieldError(field: string, detail: string): DomainError {
  return new DomainError("validation_failed", `${field}: ${detail}`, {
    field,
    errors: [{ field, detail }],
  });
}
