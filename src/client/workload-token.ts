import { readFile } from "node:fs/promises";
import { ApiError, ConnectionError } from "./api-error.ts";
import { readText } from "./read-text.ts";

/** A workload that has a token of its own issuer, as on GitHub Actions or Kubernetes. */
export type Workload = {
  /** The file with the issuer's token. It is read anew for every exchange. */
  tokenFile: string;
  /** The id of the trust, from Settings, Workload identity. */
  trustId: string;
  /** Default: all scopes of the trust. */
  scopes?: readonly string[];
};

/** An access token of the workload's agent. */
export type WorkloadToken = { token: string; lifeMs: number; scopes: string[] };

type Sender = { url: string; fetch: typeof fetch };

const TIMEOUT_MS = 15_000;

/**
 * Exchanges the token in a workload's file for an access token.
 *
 * @throws {ApiError} if the server refuses it; {ConnectionError}; an error of the file system.
 * @see https://www.rfc-editor.org/rfc/rfc8693
 */
export async function exchangeWorkloadToken(
  { url, fetch: send }: Sender,
  { tokenFile, trustId, scopes }: Workload,
  signal?: AbortSignal,
): Promise<WorkloadToken> {
  const subject = (await readFile(tokenFile, "utf8")).trim();
  const body = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    subject_token: subject,
    client_id: trustId,
    ...(scopes && { scope: scopes.join(" ") }),
  });
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const response = await send(`${url}/oauth/token`, {
    method: "POST",
    body,
    signal: signal === undefined ? late : AbortSignal.any([late, signal]),
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new ConnectionError(url, error);
  });
  // A proxy's own answer may not be JSON.
  const answer = await readText(response)
    .then(parseObject)
    .catch(() => parseObject(null));
  if (!response.ok) throw toError(response.status, answer);
  return {
    token: String(answer["access_token"]),
    lifeMs: Number(answer["expires_in"]) * 1000,
    scopes: String(answer["scope"]).split(" "),
  };
}

function parseObject(text: string | null): Record<string, unknown> {
  const value: unknown = JSON.parse(text ?? "null");
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function toError(status: number, { error, error_description: detail }: Record<string, unknown>): ApiError {
  return new ApiError({
    status,
    code: typeof error === "string" ? error : "unknown",
    ...(typeof detail === "string" && { detail }),
  });
}
