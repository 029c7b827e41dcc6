import type { MiddlewareHandler } from "hono";
import { answerProblem } from "./problem.ts";
import type { HttpEnv } from "./request.ts";

/** Answers only requests for these host names. An empty list allows all. */
export function allowHosts(hosts: readonly string[]): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (hosts.length === 0) return next();
    const host = new URL(c.req.url).hostname.toLowerCase();
    if (hosts.includes(host)) return next();
    return answerProblem(c, {
      status: 421,
      code: "misdirected_request",
      title: "Misdirected request",
      detail: "This server does not serve the requested host.",
    });
  };
}
