/** A refusal of the service, as RFC 9457 has it. */
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
  tokens?: { id: string; name: string | null; created_at: string }[];
  request_id?: string;
};

/** The service refused a request: trying again as it is would be of no use. The message says what would. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: Problem;

  constructor(problem: Problem) {
    const said = problem.detail ?? problem.title ?? `The service answered ${problem.status}.`;
    const advice = findAdvice(problem);
    super(advice === null ? said : `${said} ${advice}`);
    this.name = "ApiError";
    this.status = problem.status;
    this.code = problem.code;
    this.problem = problem;
  }
}

/** The service could not be reached, or what it answered got lost: `cause` says why. Trying again is of use. */
export class ConnectionError extends Error {
  constructor(url: string, cause: unknown) {
    super(`${url} can't be reached: ${describeError(cause)}`, { cause });
    this.name = "ConnectionError";
  }
}

/** Why a request failed; the reason stands behind fetch's own words, which say nothing. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return `it answers ${error.status}`;
  if (error instanceof ConnectionError) return describeError(error.cause);
  const { cause } = error instanceof Error ? error : { cause: null };
  const inner = cause instanceof Error ? cause : error;
  const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
  return (inner instanceof Error && inner.message) || code || String(error);
}

const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether trying again as it is may be of use. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return PASSING.has(error.status);
  return error instanceof ConnectionError;
}

/** Whether the service lets the client do nothing more until a person has done something about it. */
export function isFinal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.status === 401 || error.status === 403 || error.code === "token_limit";
}

/** Whether a request was refused with this code. */
export function isRejection(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

/** Whether what a request was about is elsewhere by now, or never was there. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 409 || error.status === 404);
}

/** Whether the service will never take what was sent, for its shape or its size. */
export function isUnfit(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 413, 422].includes(error.status);
}

/** What can be done about a refusal that the client can do nothing about itself; null for others. */
function findAdvice({ status, code }: { status: number; code: string }): string | null {
  if (status === 401)
    return "The token given to the client is unknown, has expired or was revoked: give it another API key, made in the workspace's settings or by `agent-ops key create`.";
  if (code === "token_limit")
    return "List them with GET /api/v1/agent_tokens and revoke those that nobody uses, or mint with `revoke_oldest`.";
  if (status !== 403) return null;
  return FORBIDDEN[code] ?? "The token given to the client may not do this: give it another API key.";
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  api_key_required:
    "To be an `agent` the client needs an API key (agk_…): give it one, or leave out `agent` where the token is the agent's own.",
  insufficient_scope:
    "Give the API key this scope in the workspace's settings, and name it where the client is given `scopes`.",
  ip_not_allowed: "Add this machine's address to those of the API key in the workspace's settings.",
  workspace_suspended: "Whoever runs the service can let it in again by `agent-ops workspace resume`.",
};
