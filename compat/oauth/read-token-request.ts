import type { Context } from "hono";
import type { TokenRequest } from "../../src/auth/workloads/exchange-token.ts";
import { TokenRequestError } from "../../src/auth/workloads/token-request-error.ts";
import { ASSERTION_LENGTH } from "../../src/auth/workloads/verify-assertion.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import { type Parameters, createRequestError, readParameters, requireParameter } from "./read-parameters.ts";

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SUBJECT_TYPES = ["urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:id_token"];

/** The type of the tokens that are issued. @see RFC 8693, 3. */
export const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

/**
 * Reads a request for an access token, by either grant. `audience` names the trust where `client_id` doesn't.
 * Parameters that are unknown are ignored.
 *
 * @throws {TokenRequestError}
 */
export async function readTokenRequest(c: Context<HttpEnv>): Promise<TokenRequest & { isExchange: boolean }> {
  const parameters = await readParameters(c);
  const grant = requireParameter(parameters, "grant_type");
  if (grant !== TOKEN_EXCHANGE && grant !== JWT_BEARER)
    throw new TokenRequestError(
      "unsupported_grant_type",
      `grant_type must be ${TOKEN_EXCHANGE} or ${JWT_BEARER}.`,
    );
  const isExchange = grant === TOKEN_EXCHANGE;
  if (isExchange) requireTypes(parameters);
  const assertion = requireParameter(parameters, isExchange ? "subject_token" : "assertion");
  if (assertion.length > ASSERTION_LENGTH) throw createRequestError("The token is too long.");
  const scope = parameters.get("scope");
  return {
    isExchange,
    assertion,
    trustId: readTrustId(parameters),
    scopes: scope === undefined ? null : scope.split(" ").filter((one) => one !== ""),
  };
}

function requireTypes(parameters: Parameters): void {
  if (!SUBJECT_TYPES.includes(requireParameter(parameters, "subject_token_type")))
    throw createRequestError(`subject_token_type must be ${SUBJECT_TYPES.join(" or ")}.`);
  if ((parameters.get("requested_token_type") ?? ACCESS_TOKEN) !== ACCESS_TOKEN)
    throw createRequestError(`requested_token_type must be ${ACCESS_TOKEN}.`);
  if (parameters.has("actor_token")) throw createRequestError("actor_token is not supported.");
}

function readTrustId(parameters: Parameters): string {
  const audience = parameters.get("audience");
  const clientId = parameters.get("client_id");
  const isOther = clientId !== undefined && audience !== undefined && audience !== clientId;
  if (parameters.has("resource") || isOther)
    throw new TokenRequestError(
      "invalid_target",
      "Access tokens are for this server; audience is the trust's id.",
    );
  const trustId = clientId ?? audience;
  if (trustId === undefined) throw createRequestError("client_id is missing: the id of the trust.");
  return trustId;
}
