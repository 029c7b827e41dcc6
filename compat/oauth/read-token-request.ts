import type { Context } from "hono";
import type { TokenRequest } from "../../src/auth/workloads/exchange-token.ts";
import { TokenRequestError } from "../../src/auth/workloads/token-request-error.ts";
import { ASSERTION_LENGTH } from "../../src/auth/workloads/verify-assertion.ts";
import { decodeUtf8 } from "../../src/http/request-body.ts";
import type { HttpEnv } from "../../src/http/request.ts";

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SUBJECT_TYPES = ["urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:id_token"];

/** The type of the tokens that are issued. @see RFC 8693, 3. */
export const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

type Parameters = ReadonlyMap<string, string>;

/**
 * Reads a request for an access token, by either grant. `audience` names the trust where `client_id` doesn't.
 * Parameters that are unknown are ignored.
 *
 * @throws {TokenRequestError}
 */
export async function readTokenRequest(c: Context<HttpEnv>): Promise<TokenRequest & { isExchange: boolean }> {
  const parameters = await readParameters(c);
  const grant = require(parameters, "grant_type");
  if (grant !== TOKEN_EXCHANGE && grant !== JWT_BEARER)
    throw new TokenRequestError(
      "unsupported_grant_type",
      `grant_type must be ${TOKEN_EXCHANGE} or ${JWT_BEARER}.`,
    );
  const isExchange = grant === TOKEN_EXCHANGE;
  if (isExchange) requireTypes(parameters);
  const assertion = require(parameters, isExchange ? "subject_token" : "assertion");
  if (assertion.length > ASSERTION_LENGTH) throw createError("The token is too long.");
  const scope = parameters.get("scope");
  return {
    ...{ isExchange, assertion, trustId: readTrustId(parameters) },
    scopes: scope === undefined ? null : scope.split(" ").filter((one) => one !== ""),
  };
}

/** @see RFC 6749, 3.2: no parameter twice, and those without a value are left out. */
async function readParameters(c: Context<HttpEnv>): Promise<Parameters> {
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded")
    throw createError("The body must be application/x-www-form-urlencoded.");
  const text = decodeUtf8(await c.req.arrayBuffer());
  if (text === null) throw createError("The body must be UTF-8.");
  const pairs = [...new URLSearchParams(text)];
  if (new Set(pairs.map(([name]) => name)).size < pairs.length)
    throw createError("Every parameter may be sent once.");
  return new Map(pairs.filter(([, value]) => value !== ""));
}

function requireTypes(parameters: Parameters): void {
  if (!SUBJECT_TYPES.includes(require(parameters, "subject_token_type")))
    throw createError(`subject_token_type must be ${SUBJECT_TYPES.join(" or ")}.`);
  if ((parameters.get("requested_token_type") ?? ACCESS_TOKEN) !== ACCESS_TOKEN)
    throw createError(`requested_token_type must be ${ACCESS_TOKEN}.`);
  if (parameters.has("actor_token")) throw createError("actor_token is not supported.");
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
  if (trustId === undefined) throw createError("client_id is missing: the id of the trust.");
  return trustId;
}

function require(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw createError(`${name} is missing.`);
  return value;
}

function createError(message: string): TokenRequestError {
  return new TokenRequestError("invalid_request", message);
}
