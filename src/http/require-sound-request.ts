import type { Context, Next } from "hono";
import { answerProblem } from "./problem.ts";
import type { HttpEnv } from "./request.ts";

const TARGET_LENGTH = 8192;

/**
 * Refuses a request whose target is longer than any that we make, or that names two hosts: a proxy before us may
 * have believed the other one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export async function requireSoundRequest(c: Context<HttpEnv>, next: Next): Promise<Response | undefined> {
  const { url = "", rawHeaders } = c.env.incoming;
  if (url.length > TARGET_LENGTH) {
    const detail = `A path and its query have at most ${TARGET_LENGTH} characters.`;
    return answerProblem(c, { status: 414, code: "uri_too_long", title: "URI too long", detail });
  }
  if (countHosts(rawHeaders) > 1) {
    const detail = "A request names one host.";
    return answerProblem(c, { status: 400, code: "invalid_request", title: "Invalid request", detail });
  }
  await next();
  return undefined;
}

/** How many Host lines there are among the headers of a request, as they came. */
export function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
}
