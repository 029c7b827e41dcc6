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
  request_id?: string;
};

/** The service refused a request: trying again as it is would be of no use. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title ?? `The service answered ${problem.status}.`);
    this.name = "ApiError";
    this.status = problem.status;
    this.code = problem.code;
    this.problem = problem;
  }
}

/** Whether a request was refused with this code. */
export function isRefusal(error: unknown, code: string): error is ApiError {
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
