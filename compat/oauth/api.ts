import { Hono } from "hono";
import { logOutByProvider } from "../../src/auth/oidc/log-out-by-provider.ts";
import { BACKCHANNEL_PATH, type OidcServices } from "../../src/auth/oidc/oidc-services.ts";
import { exchangeToken } from "../../src/auth/workloads/exchange-token.ts";
import type { WorkloadServices } from "../../src/auth/workloads/workload-services.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import { answer, answerError, getSender, limitToken } from "./answer.ts";
import { readParameters, requireParameter } from "./read-parameters.ts";
import { ACCESS_TOKEN, readTokenRequest } from "./read-token-request.ts";

/**
 * POST /oauth/token, where a workload exchanges its issuer's token for an access token, and where a sign-in provider
 * says who has logged out there.
 *
 * @see RFC 6749, 5; RFC 8693; RFC 7523.
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html
 */
export function oauthApi(services: WorkloadServices & OidcServices & { holdBody: HoldBody }): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  api.onError(answerError);
  api.post("/oauth/token", limitToken(services.holdBody), async (c) => {
    const { isExchange, ...request } = await readTokenRequest(c);
    const issued = await exchangeToken({ ...services, log: c.get("log") }, request, getSender(c));
    return answer(c, {
      access_token: issued.secret,
      ...(isExchange && { issued_token_type: ACCESS_TOKEN }),
      token_type: "Bearer",
      expires_in: issued.expiresInSeconds,
      scope: issued.scopes.join(" "),
    });
  });
  api.post(BACKCHANNEL_PATH, limitToken(services.holdBody), async (c) => {
    const token = requireParameter(await readParameters(c), "logout_token");
    await logOutByProvider({ ...services, log: c.get("log") }, token, getSender(c));
    return answer(c, {});
  });
  return api;
}
