import { type Context, Hono } from "hono";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import { allowSilence } from "../../../src/http/allow-silence.ts";
import { formatEvent } from "../../../src/http/event-stream.ts";
import { refuseOtherMethods } from "../../../src/http/refuse-other-methods.ts";
import { A2aError, type Failure } from "../a2a-error.ts";
import type { A2aApp, A2aEnv, A2aServices } from "../a2a-app.ts";
import { describeError } from "../describe-error.ts";
import type { Operation } from "../operation.ts";
import { OPERATIONS, isOperation } from "../operations/operations.ts";
import { type EventFormat, answerUpdates } from "./answer-updates.ts";
import { getErrorHeaders } from "./error-headers.ts";
import { guardRequest } from "./guard-request.ts";
import { readBody } from "./read-body.ts";
import { requireVersion } from "./require-version.ts";

type RpcId = string | number | null;

/**
 * The binding JSON-RPC.
 *
 * @see https://a2a-protocol.org/latest/specification/#9-json-rpc-protocol-binding
 */
export function rpcBinding(services: A2aServices): A2aApp {
  const app = new Hono<A2aEnv>();
  app.onError((error, c) => answerError(error, c));
  app.post("/", ...guardRequest(services), async (c) => {
    const body = await readBody(c);
    const id = findId(body);
    try {
      const { method, params } = readRequest(body);
      requireVersion(c);
      const operation = findOperation(method);
      const call = { ctx: c.get("ctx"), baseUrl: c.get("baseUrl"), input: params };
      if (operation.kind === "stream") {
        const updates = await operation.begin(call);
        return answerUpdates(c, { updates, holdBody: services.holdBody, format: createFormat(id) });
      }
      if (operation.waitSeconds > 0) allowSilence(c.env.incoming, operation.waitSeconds);
      return answer(c, toResult(id, await operation.run(call)));
    } catch (error) {
      return answerError(error, c, { id });
    }
  });
  refuseOtherMethods(app, (allow, c) =>
    answerError(new DomainError("method_not_allowed", `This path allows only ${allow}.`), c, {
      headers: { allow },
    }),
  );
  return app;
}

/** @throws {A2aError} INVALID_REQUEST. */
function readRequest(body: unknown): { method: string; params: Record<string, unknown> } {
  if (!isObject(body) || body["jsonrpc"] !== "2.0") throw createRequestError("is not a JSON-RPC 2.0 request");
  const { method, params = {} } = body;
  if (findId(body) === null) throw createRequestError(BAD_ID);
  if (typeof method !== "string") throw createRequestError("has no method");
  if (!isObject(params)) throw new A2aError("INVALID_PARAMS", "params must be an object.");
  return { method, params };
}

/** Each event of a stream repeats the request's id. */
const MOST_ID_CHARACTERS = 256;
const BAD_ID = `has no id that is a whole number or a string of at most ${MOST_ID_CHARACTERS} characters`;

function findId(body: unknown): RpcId {
  const id = isObject(body) ? body["id"] : null;
  if (typeof id === "string") return id.length <= MOST_ID_CHARACTERS ? id : null;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

function createRequestError(what: string): A2aError {
  return new A2aError("INVALID_REQUEST", `The body ${what}.`);
}

/** @throws {A2aError} METHOD_NOT_FOUND. */
function findOperation(method: string): Operation {
  if (isOperation(method)) return OPERATIONS[method];
  throw new A2aError("METHOD_NOT_FOUND", `The methods are ${Object.keys(OPERATIONS).join(", ")}.`);
}

function createFormat(id: RpcId): EventFormat {
  return {
    formatUpdate: (update) => formatEvent(toResult(id, update)),
    formatFailure: (failure) => formatEvent(toError(id, failure)),
  };
}

function toResult(id: RpcId, result: object): object {
  return { jsonrpc: "2.0", id, result };
}

function toError(id: RpcId, { code, message, details }: Failure): object {
  return { jsonrpc: "2.0", id, error: { code, message, ...(details.length > 0 && { data: details }) } };
}

type ErrorOptions = { id?: RpcId; headers?: Record<string, string> };

/** What JSON-RPC and the protocol have a code for has status 200. */
function answerError(
  error: unknown,
  c: Context<A2aEnv>,
  { id = null, headers = {} }: ErrorOptions = {},
): Response {
  const failure = describeError(error, c);
  return answer(c, toError(id, failure), {
    status: isReserved(failure.code) ? 200 : failure.status,
    headers: { ...getErrorHeaders(error, c), ...headers },
  });
}

/** @see https://www.jsonrpc.org/specification#error_object */
function isReserved(code: number): boolean {
  return code <= -32_000;
}

type AnswerOptions = { status?: Failure["status"]; headers?: Record<string, string> };

function answer(
  c: Context<A2aEnv>,
  message: object,
  { status = 200, headers = {} }: AnswerOptions = {},
): Response {
  return c.body(JSON.stringify(message), status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...headers,
  });
}
