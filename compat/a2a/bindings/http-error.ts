import type { Context } from "hono";
import type { A2aEnv } from "../a2a-app.ts";
import type { Failure } from "../a2a-error.ts";
import { describeError } from "../describe-error.ts";
import { A2A_TYPE } from "../protocol.ts";
import { getErrorHeaders } from "./error-headers.ts";

/** Answers with an error of the binding HTTP+JSON. */
export function answerHttpError(
  error: unknown,
  c: Context<A2aEnv>,
  headers: Record<string, string> = {},
): Response {
  const failure = describeError(error, c);
  return c.body(JSON.stringify(toStatus(failure)), failure.status, {
    "content-type": A2A_TYPE,
    "cache-control": "no-store",
    ...getErrorHeaders(error, c),
    ...headers,
  });
}

/** Spells an error as google.rpc.Status. @see https://a2a-protocol.org/latest/specification/#116-error-handling */
export function toStatus({ status, rpcStatus, message, details }: Failure): object {
  return { error: { code: status, status: rpcStatus, message, details } };
}
