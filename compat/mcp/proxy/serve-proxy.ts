import type { Context } from "hono";
import { answerError } from "../answer-error.ts";
import { answerJson } from "../answer-json.ts";
import { createCall } from "../call.ts";
import type { McpEnv } from "../mcp-app.ts";
import { LEGACY_VERSIONS, RPC } from "../protocol.ts";
import { readBody } from "../read-body.ts";
import { readEra } from "../read-era.ts";
import { type RpcNotification, findId, readMessage } from "../read-message.ts";
import { RpcError } from "../rpc-error.ts";
import { runCall } from "../run-call.ts";
import { callTool } from "./call-tool.ts";
import { type Proxied, readProxied } from "./proxied.ts";
import { createProxyMethods } from "./proxy-methods.ts";
import { endSession, relay } from "./relay.ts";

/** Answers a message to a server of somebody else. */
export async function serveProxy(c: Context<McpEnv, "/proxy/:slug">): Promise<Response> {
  const body = await readBody(c);
  const proxied = readProxied(c);
  try {
    if (Array.isArray(body)) throw createBatchError();
    const message = readMessage(body);
    if (message.kind === "response") return c.body(null, 202);
    const era = readEra(message, (name) => c.req.header(name));
    if (message.kind === "notification") {
      await passNotification(message, { ctx: c.get("ctx"), era, proxied });
      return c.body(null, 202);
    }
    const call = createCall(c, era, message);
    if (call.method === "tools/call") return await callTool(c, call, proxied);
    const answer = await runCall(call, createProxyMethods(proxied));
    return answerJson(c, answer, { headers: proxied.answered });
  } catch (error) {
    return answerError(error, c, { id: findId(body) });
  }
}

/** Ends a session with a server of somebody else. */
export async function endProxySession(c: Context<McpEnv, "/proxy/:slug">): Promise<Response> {
  const version = c.req.header("mcp-protocol-version");
  const protocolVersion = LEGACY_VERSIONS.find((known) => known === version);
  await endSession({ ctx: c.get("ctx"), protocolVersion }, readProxied(c));
  return c.body(null, 204);
}

type Notified = Pick<Parameters<typeof relay>[0], "ctx" | "era"> & { proxied: Proxied };

/** Others are for nobody: without a session, a server could not tell which client's request is cancelled. */
async function passNotification(
  { method, params }: RpcNotification,
  { ctx, era, proxied }: Notified,
): Promise<void> {
  if (method === "notifications/initialized") await relay({ ctx, era, method, params: {} }, proxied);
  const { requestId, reason } = params;
  if (method === "notifications/cancelled" && proxied.session !== null) {
    await relay({ ctx, era, method, params: { requestId, reason } }, proxied);
  }
}

function createBatchError(): RpcError {
  return new RpcError(RPC.invalidRequest, "The proxy takes no batches.", { status: 400 });
}
