import { type Context, Hono } from "hono";
import { exchangeToken } from "../../src/auth/workloads/exchange-token.ts";
import { TokenRequestError } from "../../src/auth/workloads/token-request-error.ts";
import type { WorkloadServices } from "../../src/auth/workloads/workload-services.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";
import { limitBody } from "../../src/http/limit-body.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import { ACCESS_TOKEN, readTokenRequest } from "./read-token-request.ts";

/** Larger than any accepted token with its parameters. */
const BODY_BYTES = 24_576;

const STATUSES = { slow_down: 429, temporarily_unavailable: 503 } as const;

/**
 * POST /oauth/token, where a workload exchanges its issuer's token for an access token.
 *
 * @see RFC 6749, 5; RFC 8693; RFC 7523.
 */
export function oauthApi(services: WorkloadServices & { holdBody: HoldBody }): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  api.onError(answerError);
  api.post(
    "/token",
    limitBody<HttpEnv>({
      maxBytes: BODY_BYTES,
      holdBody: services.holdBody,
      getHolder: (c) => `workloads ${c.get("ip") ?? ""}`,
      createError: (why) =>
        why === "no room"
          ? new TokenRequestError("temporarily_unavailable", "Too many requests at the moment.", 1)
          : new TokenRequestError("invalid_request", "The body is too large, or can't be read."),
    }),
    async (c) => {
      const { isExchange, ...request } = await readTokenRequest(c);
      const [ip, userAgent] = [c.get("ip"), c.req.header("user-agent") ?? null];
      const seen = { ip, userAgent, requestId: c.get("requestId") };
      const issued = await exchangeToken({ ...services, log: c.get("log") }, request, seen);
      return answer(c, {
        access_token: issued.secret,
        ...(isExchange && { issued_token_type: ACCESS_TOKEN }),
        token_type: "Bearer",
        expires_in: issued.expiresInSeconds,
        scope: issued.scopes.join(" "),
      });
    },
  );
  return api;
}

function answerError(error: Error, c: Context<HttpEnv>): Response {
  if (!(error instanceof TokenRequestError)) throw error;
  const { code, message, retryAfterSeconds } = error;
  const status = code === "slow_down" || code === "temporarily_unavailable" ? STATUSES[code] : 400;
  if (retryAfterSeconds !== null) c.header("retry-after", String(retryAfterSeconds));
  return answer(c, { error: code, error_description: message }, status);
}

function answer(c: Context<HttpEnv>, body: object, status: 200 | 400 | 429 | 503 = 200): Response {
  c.header("cache-control", "no-store");
  c.header("pragma", "no-cache");
  return c.json(body, status);
}
