import type { Context } from "hono";
import { buildChallenge } from "../../../src/auth/identify.ts";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import type { A2aEnv } from "../a2a-app.ts";

/** The headers of an error: how to authenticate, and when to try again. */
export function getErrorHeaders(error: unknown, c: Context<A2aEnv>): Record<string, string> {
  if (!(error instanceof DomainError)) return {};
  const { code, details } = error;
  const challenge = buildChallenge(error);
  return {
    ...(challenge !== null && { "www-authenticate": challenge }),
    ...(code === "unavailable" && { "retry-after": "2" }),
    ...(code === "rate_limited" && {
      // The rate limit has set it.
      "retry-after": c.res.headers.get("retry-after") ?? String(details.retryAfterSeconds ?? 1),
    }),
    // The rest of the body isn't read, so the connection can't be reused.
    ...(code === "payload_too_large" && { connection: "close" }),
  };
}
