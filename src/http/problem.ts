import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { HttpEnv } from "./request.ts";

/** The fields of an error answer. `code` is in snake_case; its page is under /problems/ with dashes. */
export type Problem = {
  status: ContentfulStatusCode;
  code: string;
  title: string;
  detail: string;
  field?: string;
  errors?: { field: string; detail: string }[];
  oldest_cursor?: string;
  execution_id?: string;
  current_status?: string;
  allowed?: readonly string[];
  quota?: object;
  tokens?: readonly unknown[];
};

/**
 * Builds the body of an error answer.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function problemBody(problem: Problem, baseUrl: string, requestId: string) {
  const { status, code, title, detail, ...members } = problem;
  return {
    type: `${baseUrl}/problems/${code.replaceAll("_", "-")}`,
    title,
    status,
    detail,
    code,
    ...members,
    request_id: requestId,
  };
}

/** Sends an error answer that must not be cached. */
export function answerProblem<Env extends HttpEnv>(
  c: Context<Env>,
  problem: Problem,
  headers: Record<string, string> = {},
): Response {
  // The environments of all APIs have these two variables.
  const { baseUrl, requestId } = c.var as HttpEnv["Variables"];
  return c.body(JSON.stringify(problemBody(problem, baseUrl, requestId)), problem.status, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    ...headers,
  });
}
