import type { Context } from "hono";
import { DomainError, type ErrorCode } from "../../src/domain/kernel/errors.ts";
import type { AuthzenEnv } from "./authzen-app.ts";

/** The problems of access requests, by the last part of their type. */
const PROBLEMS = {
  not_requestable: { status: 400, title: "Access is not requestable" },
  expired_denial: { status: 410, title: "The denial has expired" },
  invalid_denial_binding: { status: 400, title: "The denial is of another request" },
  duplicate_request: { status: 409, title: "The Idempotency-Key was used for another request" },
  unknown_task: { status: 404, title: "Unknown access request" },
  task_expired: { status: 410, title: "The access request has expired" },
  invalid_task_state: { status: 409, title: "Not possible in this state" },
} as const;

type Problem = keyof typeof PROBLEMS;

/** What they are called elsewhere. */
const BY_CODE: ReadonlyMap<ErrorCode, Problem> = new Map([
  ["not_requestable", "not_requestable"],
  ["expired_denial", "expired_denial"],
  ["invalid_denial_binding", "invalid_denial_binding"],
  ["idempotency_mismatch", "duplicate_request"],
  ["not_found", "unknown_task"],
]);

type Handler = (c: Context<AuthzenEnv>) => Promise<Response>;

/** Makes a handler answer the problems of access requests. Other errors are thrown. */
export function withProblems(handler: Handler): Handler {
  return async (c) => {
    try {
      return await handler(c);
    } catch (error) {
      const problem = error instanceof DomainError ? findProblem(error) : null;
      if (problem === null || !(error instanceof DomainError)) throw error;
      return answerProblem(c, problem, error.message);
    }
  };
}

function findProblem({ code, details }: DomainError): Problem | null {
  if (code === "invalid_state") {
    return details.currentStatus === "expired" ? "task_expired" : "invalid_task_state";
  }
  return BY_CODE.get(code) ?? null;
}

/** @see RFC 9457 */
export function answerProblem(c: Context<AuthzenEnv>, problem: Problem, detail: string): Response {
  const { status, title } = PROBLEMS[problem];
  const type = `urn:openid:authzen:access-request:error:${problem}`;
  return c.body(JSON.stringify({ type, title, status, detail }), status, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
  });
}
