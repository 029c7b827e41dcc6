import type { Context } from "hono";
import type { Logger } from "pino";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { McpEnv } from "./mcp-app.ts";
import type { Era } from "./read-era.ts";
import type { RpcRequest } from "./read-message.ts";
import type { RpcId } from "./rpc-error.ts";

/** A request, with its caller. */
export type Call = {
  ctx: Ctx;
  log: Logger;
  /** Our own URL, without a trailing slash. */
  baseUrl: string;
  era: Era;
  id: RpcId;
  method: string;
  params: Record<string, unknown>;
};

export function createCall(c: Context<McpEnv>, era: Era, { id, method, params }: RpcRequest): Call {
  return { ctx: c.get("ctx"), log: c.get("log"), baseUrl: c.get("baseUrl"), era, id, method, params };
}
