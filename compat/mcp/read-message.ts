import { isObject } from "../../src/domain/kernel/is-object.ts";
import { RPC } from "./protocol.ts";
import { RpcError, type RpcId } from "./rpc-error.ts";

/** Each message of an answer may repeat the request's id. */
export const MOST_ID_CHARACTERS = 256;

type RpcCall = { method: string; params: Record<string, unknown> };

export type RpcRequest = { kind: "request"; id: RpcId } & RpcCall;

export type RpcNotification = { kind: "notification" } & RpcCall;

/** A message of JSON-RPC. Clients' responses are of no use to us. */
export type RpcMessage = RpcRequest | RpcNotification | { kind: "response" };

/** @throws {RpcError} invalidRequest. */
export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") throw createError("is not a JSON-RPC 2.0 message");
  const { id, method, params = {} } = value;
  if (method === undefined && id !== undefined && ("result" in value || "error" in value)) {
    return { kind: "response" };
  }
  if (typeof method !== "string") throw createError("has no method");
  if (!isObject(params)) throw createError("has params that are not an object");
  if (id === undefined) return { kind: "notification", method, params };
  if (!isId(id)) throw createError(BAD_ID);
  return { kind: "request", id, method, params };
}

/** The id of what may be a request, for its error. */
export function findId(value: unknown): RpcId | null {
  return isObject(value) && isId(value["id"]) ? value["id"] : null;
}

function isId(id: unknown): id is RpcId {
  return typeof id === "string" ? id.length <= MOST_ID_CHARACTERS : Number.isSafeInteger(id);
}

const BAD_ID = `has an id that is neither a whole number nor a string of at most ${MOST_ID_CHARACTERS} characters`;

function createError(what: string): RpcError {
  return new RpcError(RPC.invalidRequest, `The body ${what}.`, { status: 400 });
}
