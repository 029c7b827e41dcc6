import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { type DomainError, ERRORS, type FieldError } from "../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import type { A2aEnv } from "./a2a-app.ts";
import {
  A2aError,
  type Failure,
  RPC_ERRORS,
  createErrorInfo,
  createParamsError,
  toFailure,
} from "./a2a-error.ts";

/** The domain of errors that are ours, not the protocol's. */
const OWN_DOMAIN = "agent-ops";

/** Our other errors have this minus their HTTP status as code: outside of what JSON-RPC reserves. */
const OWN_CODES = -31_000;

/** Says what went wrong. What we did wrong is logged, and nothing of it is told. */
export function describeError(error: unknown, c: Context<A2aEnv>): Failure {
  if (error instanceof A2aError) return toFailure(error);
  const known = toDomainError(error);
  if (known !== null) return describeDomainError(known);
  if (error instanceof HTTPException && error.status < 500) {
    return toFailure(new A2aError("INVALID_REQUEST", "The body can't be read."));
  }
  c.get("log").error({ err: error }, "an A2A request failed");
  return toFailure(new A2aError("INTERNAL", "Something went wrong on our side."));
}

function describeDomainError({ code, message, details }: DomainError): Failure {
  switch (code) {
    case "validation_failed":
    case "unknown_field":
    case "invalid_parameter":
      return toFailure(
        createParamsError((details.errors ?? [{ field: "", detail: message }]).map(toWireField)),
      );
    case "idempotency_mismatch":
      return toFailure(
        createParamsError([
          { field: "message.messageId", detail: "was used for another message: use a new one" },
        ]),
      );
    case "invalid_body":
      return { ...RPC_ERRORS.INVALID_REQUEST, message, details: [] };
    default: {
      const { status } = ERRORS[code];
      const known = RPC_STATUSES[status];
      return {
        code: OWN_CODES - status,
        status: known === undefined ? 400 : (status as Failure["status"]),
        rpcStatus: known ?? "FAILED_PRECONDITION",
        message,
        details: [createErrorInfo(code.toUpperCase(), OWN_DOMAIN)],
      };
    }
  }
}

/** The status of google.rpc for each HTTP status. @see https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const RPC_STATUSES: Partial<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  409: "ABORTED",
  413: "INVALID_ARGUMENT",
  415: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** Where the protocol has the fields of our use cases. */
const FIELDS: [own: RegExp, wire: string][] = [
  [/^(?:input|parts|title)\b/, "message.parts"],
  [/^metadata\b/, "message.metadata"],
  [/^(contextId|referenceTaskIds|taskId)\b/, "message.$1"],
  [/^queue$/, "metadata.agent-ops/queue"],
  [/\bmedia_type$/, "mediaType"],
];

function toWireField({ field, detail }: FieldError): FieldError {
  const wire = FIELDS.reduce((name, [own, spelled]) => name.replace(own, spelled), field);
  return { field: wire, detail };
}
