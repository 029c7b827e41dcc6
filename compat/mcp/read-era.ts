import { isObject } from "../../src/domain/kernel/is-object.ts";
import { LEGACY_VERSIONS, META, MODERN_VERSION, RPC } from "./protocol.ts";
import type { RpcNotification, RpcRequest } from "./read-message.ts";
import { type GetHeader, requireSameHeaders } from "./require-same-headers.ts";
import { RpcError, quote } from "./rpc-error.ts";

/** How a request is to be read and answered. A legacy one says nothing of what its client can do. */
export type Era =
  | { name: "legacy"; version: string }
  | { name: "modern"; version: string; capabilities: Record<string, unknown> };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Finds the era of a request or notification. Its `_meta` decides; headers must agree.
 *
 * @throws {RpcError} invalidParams, headerMismatch, unsupportedVersion, invalidRequest.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function readEra(call: RpcRequest | RpcNotification, getHeader: GetHeader): Era {
  const { kind, method, params } = call;
  const header = getHeader("mcp-protocol-version");
  const meta = isObject(params["_meta"]) ? params["_meta"] : {};
  const isClaimed = META.protocolVersion in meta || META.clientCapabilities in meta;
  if (isClaimed) return readModern(call, getHeader, meta);
  if (!isModern(header)) return { name: "legacy", version: readLegacyVersion(header) };
  if (method === "initialize") {
    throw createHeaderError("initialize has no place in this version: leave out its MCP-Protocol-Version.");
  }
  if (kind === "notification") return { name: "modern", version: header, capabilities: {} };
  throw createMetaError("has no");
}

function readModern(
  call: RpcRequest | RpcNotification,
  getHeader: GetHeader,
  meta: Record<string, unknown>,
): Era {
  const { [META.protocolVersion]: version, [META.clientCapabilities]: capabilities } = meta;
  if (typeof version !== "string" || !isObject(capabilities)) throw createMetaError("has no valid");
  const header = getHeader("mcp-protocol-version");
  if (header !== undefined && header !== version) {
    throw createHeaderError("MCP-Protocol-Version is not the version in _meta.");
  }
  if (version !== MODERN_VERSION) {
    throw new RpcError(RPC.unsupportedVersion, `This version is not supported: ${quote(version)}.`, {
      status: 400,
      data: { supported: [MODERN_VERSION], requested: version },
    });
  }
  if (call.kind === "request") requireSameHeaders(call, getHeader);
  return { name: "modern", version, capabilities };
}

function isModern(version: string | undefined): version is string {
  return version !== undefined && DATE.test(version) && version >= MODERN_VERSION;
}

function readLegacyVersion(header: string | undefined): string {
  const [oldest] = LEGACY_VERSIONS;
  const version = LEGACY_VERSIONS.find((known) => known === (header ?? oldest));
  if (version !== undefined) return version;
  const known = [...LEGACY_VERSIONS, MODERN_VERSION].join(", ");
  throw new RpcError(RPC.invalidRequest, `MCP-Protocol-Version must be one of ${known}.`, { status: 400 });
}

function createHeaderError(message: string): RpcError {
  return new RpcError(RPC.headerMismatch, message, { status: 400 });
}

function createMetaError(what: string): RpcError {
  const names = `${META.protocolVersion} and ${META.clientCapabilities}`;
  return new RpcError(RPC.invalidParams, `_meta ${what} ${names}.`, { status: 400 });
}
