/** An error response of the service. @see RFC 9457. */
export type Problem = {
  status: number;
  /** Such as `lease_lost`. */
  code: string;
  title?: string;
  detail?: string;
  field?: string;
  errors?: { field: string; detail: string }[];
  current_status?: string;
  allowed?: string[];
  oldest_cursor?: string;
  /** The workspace's quota that is used up; `resets_in_s` is null if waiting doesn't help. */
  quota?: { name: string; limit: number; used: number; resets_in_s: number | null };
  tokens?: { id: string; name: string | null; created_at: string }[];
  request_id?: string;
};

/** The service rejected a request, so retrying it unchanged won't help. The message says what to do. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: Problem;

  constructor(problem: Problem) {
    const said = problem.detail ?? problem.title ?? `The service responded with ${problem.status}.`;
    const advice = findAdvice(problem);
    super(advice === null ? said : `${said} ${advice}`);
    this.name = "ApiError";
    this.status = problem.status;
    this.code = problem.code;
    this.problem = problem;
  }
}

/** The service couldn't be reached, or its response was lost: see `cause`. The request can be retried. */
export class ConnectionError extends Error {
  constructor(url: string, cause: unknown) {
    super(`${url} can't be reached: ${describeError(cause)}`, { cause });
    this.name = "ConnectionError";
  }
}

/** Describes why a request failed, with the underlying cause of fetch's generic errors. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return `it responded with ${error.status}`;
  if (error instanceof ConnectionError) return describeError(error.cause);
  const { cause } = error instanceof Error ? error : { cause: null };
  const inner = cause instanceof Error ? cause : error;
  const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
  return (inner instanceof Error && inner.message) || code || String(error);
}

const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether retrying the unchanged request may succeed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return PASSING.has(error.status);
  return error instanceof ConnectionError;
}

/** Whether the client can't continue until somebody fixes the cause. */
export function isFinal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  // An emergency stop ends.
  if (error.code === "emergency_stop") return false;
  return error.status === 401 || error.status === 403 || error.code === "token_limit";
}

/** Whether a request was rejected with this error code. */
export function isRejection(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

/** Whether the subject of a request has moved on or doesn't exist. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 409 || error.status === 404);
}

/** Whether the service will never accept this request, because of its content or size. */
export function isUnfit(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 413, 422].includes(error.status);
}

/** What to do about an error that the client can't handle itself, or null. */
function findAdvice({ status, code }: { status: number; code: string }): string | null {
  if (status === 401)
    return "The client's token is unknown, expired or revoked. Create a new API key in the workspace's settings or with `agent-ops key create`.";
  if (code === "token_limit")
    return "List them with GET /api/v1/agent_tokens and revoke unused ones, or mint with `revoke_oldest`.";
  if (status !== 403) return null;
  return FORBIDDEN[code] ?? "The client's token doesn't allow this. Use another API key.";
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  api_key_required:
    "The option `agent` requires an API key (agk_…). Pass one as `token`, or leave out `agent` if the token already belongs to the agent.",
  insufficient_scope:
    "Use an API key with this scope, and include it in the client's `scopes` if you set them.",
  ip_not_allowed:
    "Add this machine's IP address to the API key's allowed addresses in the workspace's settings.",
  workspace_suspended: "The service's operator can resume it with `agent-ops workspace resume`.",
};
