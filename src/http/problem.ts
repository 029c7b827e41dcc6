import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { HttpEnv } from "./request.ts";

/** What an error answer says. `code` is snake_case; its page stands at /problems/ with dashes. */
export type Problem = {
  status: ContentfulStatusCode;
  code: string;
  title: string;
  detail: string;
  field?: string;
  errors?: { field: string; detail: string }[];
  oldest_cursor?: string;
  current_status?: string;
  allowed?: readonly string[];
  tokens?: readonly unknown[];
};

/**
 * The body of an error answer.
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

/** An error answer that nothing keeps. */
export function answerProblem<Env extends HttpEnv>(
  c: Context<Env>,
  problem: Problem,
  headers: Record<string, string> = {},
): Response {
  // Every environment of a door has these two.
  const { baseUrl, requestId } = c.var as HttpEnv["Variables"];
  return c.body(JSON.stringify(problemBody(problem, baseUrl, requestId)), problem.status, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    ...headers,
  });
}
