import { endMcpSession, relayMcpMessage } from "../../../src/auth/upstream/relay-mcp-message.ts";
import { UpstreamError } from "../../../src/auth/upstream/upstream-error.ts";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import type { Call } from "../call.ts";
import type { Result } from "../method.ts";
import { RPC } from "../protocol.ts";
import type { Era } from "../read-era.ts";
import { RpcError } from "../rpc-error.ts";
import { type Proxied, SESSION_HEADER } from "./proxied.ts";

/** A message that calls no tool, with what of its parameters is passed on. */
type Relayed = Pick<Call, "ctx" | "era" | "method" | "params"> & { id?: Call["id"] };

/** Sends a message to the server. @returns its result. @throws {RpcError} also what the server answers instead. */
export async function relay(relayed: Relayed, proxied: Proxied): Promise<Result> {
  const { status, message, session } = await send(relayed, proxied);
  if (session !== null) proxied.answered[SESSION_HEADER] = session;
  if (isObject(message?.["result"])) return message["result"];
  if (relayed.id === undefined && status < 300) return {};
  const error = isObject(message?.["error"]) ? message["error"] : {};
  const { code, message: text, data } = error;
  throw new RpcError(
    Number.isSafeInteger(code) ? Number(code) : RPC.internalError,
    typeof text === "string" ? text : NO_ANSWER,
    { status: status === 400 || status === 404 ? status : 200, ...(isObject(data) && { data }) },
  );
}

/** Ends the client's session with the server. @throws {RpcError} */
export async function endSession(
  { ctx, protocolVersion }: Pick<Call, "ctx"> & { protocolVersion: string | undefined },
  { slug, session }: Proxied,
): Promise<void> {
  if (session === null) throw new RpcError(RPC.invalidRequest, "Mcp-Session-Id is missing.", { status: 400 });
  const headers = { ...(protocolVersion !== undefined && { "mcp-protocol-version": protocolVersion }) };
  try {
    await endMcpSession(ctx, { slug, session, headers });
  } catch (error) {
    throw error instanceof UpstreamError ? toRpcError(error) : error;
  }
}

async function send({ ctx, era, id, method, params }: Relayed, { slug, session }: Proxied) {
  const headers = toProtocolHeaders(era, method);
  try {
    return await relayMcpMessage(ctx, {
      slug,
      method,
      params,
      headers,
      session,
      ...(id !== undefined && { id }),
    });
  } catch (error) {
    throw error instanceof UpstreamError ? toRpcError(error) : error;
  }
}

/** The headers that repeat what the body says. */
export function toProtocolHeaders(era: Era, method: string): Record<string, string> {
  if (era.name === "modern") return { "mcp-protocol-version": era.version, "mcp-method": method };
  return method === "initialize" ? {} : { "mcp-protocol-version": era.version };
}

const NO_ANSWER = "The MCP server does not answer as it should.";

/** What of a server's problem agents are told. */
export function describeProblem({ health }: UpstreamError): string {
  switch (health) {
    case "credential_refused":
      return "The MCP server refuses our credential: an admin has to set another one.";
    case "credential_unreadable":
      return "The credential for the MCP server can't be read: an admin has to set it again.";
    default:
      return "The MCP server can't be reached, or does not answer as it should.";
  }
}

function toRpcError(error: UpstreamError): RpcError {
  return new RpcError(RPC.internalError, describeProblem(error));
}
