import type { Context, MiddlewareHandler } from "hono";
import { TokenRequestError } from "../../src/auth/workloads/token-request-error.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";
import { limitBody } from "../../src/http/limit-body.ts";
import { type HttpEnv, readUserAgent } from "../../src/http/request.ts";

/** Larger than any accepted token with its parameters. */
const BODY_BYTES = 24_576;

const STATUSES = { slow_down: 429, temporarily_unavailable: 503 } as const;

/** Refuses bodies that are larger than any token. */
export function limitToken(holdBody: HoldBody): MiddlewareHandler<HttpEnv> {
  return limitBody<HttpEnv>({
    maxBytes: BODY_BYTES,
    holdBody,
    getHolder: (c) => `workloads ${c.get("ip") ?? ""}`,
    createError: (why) =>
      why === "no room"
        ? new TokenRequestError("temporarily_unavailable", "Too many requests at the moment.", 1)
        : new TokenRequestError("invalid_request", "The body is too large, or can't be read."),
  });
}

/** Who sends a request. */
export function getSender(c: Context<HttpEnv>) {
  return { ip: c.get("ip"), userAgent: readUserAgent(c), requestId: c.get("requestId") };
}

/** Answers why a token is not accepted. */
export function answerError(error: Error, c: Context<HttpEnv>): Response {
  if (!(error instanceof TokenRequestError)) throw error;
  const { code, message, retryAfterSeconds } = error;
  const status = code === "slow_down" || code === "temporarily_unavailable" ? STATUSES[code] : 400;
  if (retryAfterSeconds !== null) c.header("retry-after", String(retryAfterSeconds));
  return answer(c, { error: code, error_description: message }, status);
}

/** Answers with JSON that is not to be stored. */
export function answer(c: Context<HttpEnv>, body: object, status: 200 | 400 | 429 | 503 = 200): Response {
  c.header("cache-control", "no-store");
  c.header("pragma", "no-cache");
  return c.json(body, status);
}
