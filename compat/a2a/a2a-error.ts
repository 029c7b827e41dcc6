import type { FieldError } from "../../src/domain/kernel/errors.ts";

/**
 * The protocol's errors, each with its code in JSON-RPC, its HTTP status and the status of google.rpc.
 *
 * @see https://a2a-protocol.org/latest/specification/#54-error-code-mappings
 */
export const A2A_ERRORS = {
  TASK_NOT_FOUND: { code: -32001, status: 404, rpcStatus: "NOT_FOUND" },
  TASK_NOT_CANCELABLE: { code: -32002, status: 400, rpcStatus: "FAILED_PRECONDITION" },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, status: 400, rpcStatus: "FAILED_PRECONDITION" },
  UNSUPPORTED_OPERATION: { code: -32004, status: 400, rpcStatus: "FAILED_PRECONDITION" },
  VERSION_NOT_SUPPORTED: { code: -32009, status: 400, rpcStatus: "FAILED_PRECONDITION" },
} as const;

/** The errors of JSON-RPC. */
export const RPC_ERRORS = {
  PARSE_ERROR: { code: -32700, status: 400, rpcStatus: "INVALID_ARGUMENT" },
  INVALID_REQUEST: { code: -32600, status: 400, rpcStatus: "INVALID_ARGUMENT" },
  METHOD_NOT_FOUND: { code: -32601, status: 404, rpcStatus: "NOT_FOUND" },
  INVALID_PARAMS: { code: -32602, status: 400, rpcStatus: "INVALID_ARGUMENT" },
  INTERNAL: { code: -32603, status: 500, rpcStatus: "INTERNAL" },
} as const;

/** What both bindings need to say an error. */
export type Failure = {
  code: number;
  status: 200 | 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  rpcStatus: string;
  message: string;
  /** Messages of google.rpc, each with its `@type`. */
  details: object[];
};

type A2aReason = keyof typeof A2A_ERRORS;
type RpcReason = keyof typeof RPC_ERRORS;

/** An error that the protocol names. */
export class A2aError extends Error {
  readonly reason: A2aReason | RpcReason;
  readonly details: object[];

  constructor(reason: A2aReason | RpcReason, message: string, details: object[] = []) {
    super(message);
    this.name = "A2aError";
    this.reason = reason;
    this.details = details;
  }
}

/** The error for parameters that are not as the protocol says. */
export function createParamsError(errors: readonly FieldError[]): A2aError {
  const [first] = errors;
  const message = first === undefined ? "The parameters are not valid." : `${first.field}: ${first.detail}`;
  const fieldViolations = errors.map(({ field, detail }) => ({ field, description: detail }));
  return new A2aError("INVALID_PARAMS", message, [
    { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations },
  ]);
}

/** The same for every id that is none of a task of the workspace. */
export function createUnknownTaskError(): A2aError {
  return new A2aError("TASK_NOT_FOUND", "There is no such task.");
}

/** Spells an error of the protocol. */
export function toFailure({ reason, message, details }: A2aError): Failure {
  if (isOfProtocol(reason)) {
    return {
      ...A2A_ERRORS[reason],
      message,
      details: [createErrorInfo(reason, PROTOCOL_DOMAIN), ...details],
    };
  }
  return { ...RPC_ERRORS[reason], message, details };
}

function isOfProtocol(reason: A2aReason | RpcReason): reason is A2aReason {
  return Object.hasOwn(A2A_ERRORS, reason);
}

const PROTOCOL_DOMAIN = "a2a-protocol.org";

export function createErrorInfo(reason: string, domain: string): object {
  return { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain };
}
