/** What an error answer says. `code` is snake_case; its page stands at /problems/ with dashes. */
export type Problem = {
  status: number;
  code: string;
  title: string;
  detail: string;
  field?: string;
  errors?: { field: string; detail: string }[];
};

/**
 * The body of an error answer.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function problemBody(problem: Problem, baseUrl: string, requestId: string) {
  const { status, code, title, detail, field, errors } = problem;
  return {
    type: `${baseUrl}/problems/${code.replaceAll("_", "-")}`,
    title,
    status,
    detail,
    code,
    ...(field !== undefined && { field }),
    ...(errors !== undefined && { errors }),
    request_id: requestId,
  };
}

/** An error answer that nothing keeps. */
export function problemResponse(
  problem: Problem,
  { baseUrl, requestId }: { baseUrl: string; requestId: string },
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(problemBody(problem, baseUrl, requestId)), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
  });
}
