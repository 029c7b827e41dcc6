import { z } from "zod";
import type { ShopTool } from "./shop-tools.ts";

const request = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z
    .looseObject({
      name: z.string().optional(),
      arguments: z.record(z.string(), z.unknown()).optional(),
      protocolVersion: z.string().optional(),
      _meta: z.record(z.string(), z.unknown()).optional(),
    })
    .default({}),
});

type Params = z.output<typeof request>["params"];

const SERVER = { name: "northlight-shop", version: "1.0.0" };
const MODERN_VERSION = "2026-07-28";
const LEGACY_VERSION = "2025-11-25";
/** Where requests of the modern era name their version. */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** Answers a message of JSON-RPC in either era of the protocol. Null for notifications. */
export function answerMessage(text: string, tools: readonly ShopTool[]): object | null {
  const parsed = request.safeParse(parseJson(text));
  if (!parsed.success) return createError(null, -32_600, "This is no request of JSON-RPC.");
  const { id, method, params } = parsed.data;
  if (id === undefined) return null;
  const result = findResult(method, params, tools);
  if (result === null) return createError(id, -32_601, `There is no method ${method}.`);
  const isModern = params._meta?.[VERSION_KEY] === MODERN_VERSION;
  return { jsonrpc: "2.0", id, result: { ...result, ...(isModern && { resultType: "complete" }) } };
}

function findResult(method: string, params: Params, tools: readonly ShopTool[]): object | null {
  switch (method) {
    case "initialize":
      return { protocolVersion: LEGACY_VERSION, capabilities: { tools: {} }, serverInfo: SERVER };
    case "server/discover":
      return { supportedVersions: [MODERN_VERSION], capabilities: { tools: {} }, serverInfo: SERVER };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ definition }) => definition) };
    case "tools/call":
      return callTool(params, tools);
    default:
      return null;
  }
}

function callTool({ name, arguments: args = {} }: Params, tools: readonly ShopTool[]): object {
  const tool = tools.find(({ definition }) => definition.name === name);
  const text = tool?.call(args) ?? null;
  if (text !== null) return { content: [{ type: "text", text }] };
  return { isError: true, content: [{ type: "text", text: "There is no such tool or order." }] };
}

function createError(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
