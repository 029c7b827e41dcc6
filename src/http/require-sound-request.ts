import type { Context, Next } from "hono";
import { answerProblem } from "./problem.ts";
import type { HttpEnv } from "./request.ts";

const TARGET_LENGTH = 8192;

/**
 * Rejects requests whose target is too long or that have two Host headers: a proxy may have used the other
 * one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export async function requireSoundRequest(c: Context<HttpEnv>, next: Next): Promise<Response | undefined> {
  const { url = "", rawHeaders } = c.env.incoming;
  if (url.length > TARGET_LENGTH) {
    const detail = `The URL is too long. Path and query may have at most ${TARGET_LENGTH} characters.`;
    return answerProblem(c, { status: 414, code: "uri_too_long", title: "URI too long", detail });
  }
  if (countHosts(rawHeaders) > 1) {
    const detail = "A request must have exactly one Host header.";
    return answerProblem(c, { status: 400, code: "invalid_request", title: "Invalid request", detail });
  }
  await next();
  return undefined;
}

/** Counts the Host headers of a request. */
export function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
}
