import type { BudgetUnit } from "../../db/generated/enums.ts";

/**
 * All error codes with status and title. Each API formats the code in its own way: REST as `lease_lost` and
 * `/problems/lease-lost`, GraphQL as `LEASE_LOST`.
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
  not_requestable: { status: 400, title: "Not requestable" },
  invalid_denial_binding: { status: 400, title: "Another denial" },
  no_target: { status: 400, title: "No matching value" },
  immutable_attribute: { status: 400, title: "Attribute can't be changed" },
  api_key_required: { status: 403, title: "API key required" },
  insufficient_scope: { status: 403, title: "Insufficient scope" },
  forbidden: { status: 403, title: "Forbidden" },
  sudo_required: { status: 403, title: "Password confirmation required" },
  mfa_required: { status: 403, title: "Second factor required" },
  workspace_suspended: { status: 403, title: "Workspace suspended" },
  policy_denied: { status: 403, title: "Denied by policy" },
  approval_required: { status: 403, title: "Approval required" },
  self_approval: { status: 403, title: "Own request" },
  emergency_stop: { status: 403, title: "Emergency stop" },
  agent_paused: { status: 403, title: "Agent paused or stopped" },
  quota_exceeded: { status: 403, title: "Quota exceeded" },
  ip_not_allowed: { status: 403, title: "Address not allowed" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  already_exists: { status: 409, title: "Already exists" },
  id_conflict: { status: 409, title: "Id already used" },
  invalid_state: { status: 409, title: "Invalid state" },
  already_executed: { status: 409, title: "Already executed" },
  arguments_changed: { status: 409, title: "Arguments changed" },
  budget_exceeded: { status: 409, title: "Budget exceeded" },
  approval_expired: { status: 409, title: "Approval expired" },
  lease_lost: { status: 409, title: "Lease lost" },
  not_a_robot: { status: 409, title: "Not a robot" },
  unresolved_reference: { status: 409, title: "Unresolved reference" },
  token_limit: { status: 409, title: "Too many tokens" },
  idempotency_conflict: { status: 409, title: "Request still in progress" },
  expired_denial: { status: 410, title: "Denial expired" },
  cursor_expired: { status: 410, title: "Cursor expired" },
  precondition_failed: { status: 412, title: "Precondition failed" },
  payload_too_large: { status: 413, title: "Payload too large" },
  uri_too_long: { status: 414, title: "URI too long" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  misdirected_request: { status: 421, title: "Misdirected request" },
  unknown_field: { status: 422, title: "Unknown field" },
  validation_failed: { status: 422, title: "Validation failed" },
  policy_too_complex: { status: 422, title: "Policy too complex" },
  idempotency_mismatch: { status: 422, title: "Idempotency key reused" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Internal error" },
  not_implemented: { status: 501, title: "Not implemented" },
  unavailable: { status: 503, title: "Temporarily unavailable" },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** A problem of an input. `field` is a path such as `parts.0.text`. */
export type FieldError = { field: string; detail: string };

/** An agent's token, without its secret. */
export type HeldToken = {
  id: string;
  name: string | null;
  createdAt: Date;
  expiresAt: Date;
  /** Accurate to a minute. */
  lastUsedAt: Date | null;
};

/** A budget that has no room. Dollars are text such as `0.42`, tokens and calls whole numbers as text. */
export type ExceededBudget = {
  id: string;
  name: string;
  unit: BudgetUnit;
  limit: string;
  used: string;
  reserved: string;
};

/** A quota of the workspace that is used up. */
export type ExceededQuota = {
  name: "agents" | "tasks_per_day" | "events_per_second" | "storage_bytes" | "spans_per_day";
  limit: number;
  used: number;
  /** After how many seconds it is free again; null if only with less in use, or more allowed. */
  resetsInSeconds: number | null;
};

/** Details of an error besides its message. */
export type ErrorDetails = {
  field?: string;
  errors?: FieldError[];
  /** The missing scope. */
  scope?: string;
  /** For an expired cursor: the oldest valid one. */
  oldestCursor?: string;
  /** For a known but invalid token: the reason. */
  description?: string;
  /** The execution of what can't be done again. */
  executionId?: string;
  /** The current status, if it does not allow the action. */
  currentStatus?: string;
  /** The statuses that allow it. */
  allowed?: readonly string[];
  /** The budget without room, with amounts as text. */
  budget?: ExceededBudget;
  /** After how many seconds it may work; null if waiting doesn't help. */
  retryAfterSeconds?: number | null;
  /** The quota that is used up. */
  quota?: ExceededQuota;
  /** The oldest tokens of an agent that has too many. */
  tokens?: readonly HeldToken[];
};

/** An error that the caller caused and may see. Any other error is a bug. */
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

/** The error for an id that does not exist or belongs to another workspace. */
export function createNotFoundError(what: string): DomainError {
  return new DomainError("not_found", `There is no such ${what}.`);
}

/** The error for a body that is too large or too costly to read, or that the node has no memory for. */
export function createBodyError(
  why: "too large" | "too many chunks" | "no room",
  maxBytes: number,
): DomainError {
  switch (why) {
    case "too large":
      return new DomainError(
        "payload_too_large",
        `The body is too large. At most ${maxBytes} bytes are allowed.`,
      );
    case "too many chunks":
      return new DomainError("payload_too_large", "The body has too many small chunks. Send larger ones.");
    case "no room":
      return new DomainError("unavailable", "Too many large requests at once. Try again in a few seconds.");
  }
}

/** The error for JSON that is not parsed because it is beyond a limit. */
export function createJsonError(
  why: "too deep" | "too many containers" | "too many members" | "too many values",
  limit: number,
): DomainError {
  const rules = {
    "too deep": `be nested at most ${limit} levels deep`,
    "too many containers": `have at most ${limit} lists and objects`,
    "too many members": `have at most ${limit} members of objects`,
    "too many values": `have at most ${limit} elements and members`,
  };
  return new DomainError("invalid_body", `The JSON can ${rules[why]}.`);
}

/** The error for a well-formed input with one invalid field. */
export function createFieldError(field: string, detail: string): DomainError {
  return new DomainError("validation_failed", `${field}: ${detail}`, {
    field,
    errors: [{ field, detail }],
  });
}
