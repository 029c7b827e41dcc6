import { isObject } from "../../../src/domain/kernel/is-object.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import type { Call } from "../call.ts";
import type { Method, Methods, Result } from "../method.ts";
import { LEGACY_VERSIONS, META, MODERN_VERSION, RPC } from "../protocol.ts";
import { RpcError } from "../rpc-error.ts";
import { cutMeta } from "./cut-meta.ts";
import type { Proxied } from "./proxied.ts";
import { relay } from "./relay.ts";

const CallableTools = graphql(`
  query CallableTools($slug: String!) {
    server: callableMcpServer(slug: $slug) {
      tools
    }
  }
`);

/** How long clients may keep a list that reviews and policies change. */
const TOOLS_TTL_MS = 30_000;
const NAME_LENGTH = 200;

/**
 * The methods that call no tool. Of what the server says of itself, only its name and version are passed on: its
 * instructions were reviewed by nobody, and nothing but tools can be used.
 */
export function createProxyMethods(proxied: Proxied): Methods {
  const list: Method = { ttlMs: TOOLS_TTL_MS, run: (call) => listTools(call, proxied) };
  return {
    legacy: new Map<string, Method>([
      ["tools/list", list],
      ["initialize", { run: (call) => initialize(call, proxied) }],
      ["ping", { run: (call) => ping(call, proxied) }],
    ]),
    modern: new Map<string, Method>([
      ["tools/list", list],
      ["server/discover", { ttlMs: TOOLS_TTL_MS, run: (call) => discover(call, proxied) }],
    ]),
  };
}

async function ping(call: Call, proxied: Proxied): Promise<Result> {
  await relay({ ...call, params: {} }, proxied);
  return {};
}

async function listTools({ ctx }: Call, { slug }: Proxied): Promise<Result> {
  const { server } = await execute(ctx, CallableTools, { slug });
  return { tools: server.tools };
}

const CAPABILITIES = { tools: {} };

async function initialize(call: Call, proxied: Proxied): Promise<Result> {
  const { protocolVersion, clientInfo } = call.params;
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const { protocolVersion: version, serverInfo } = await relay({ ...call, params }, proxied);
  const known = LEGACY_VERSIONS.find((one) => one === version);
  if (known === undefined) throw createVersionError();
  return { protocolVersion: known, capabilities: CAPABILITIES, serverInfo: toServerInfo(serverInfo) };
}

async function discover(call: Call, proxied: Proxied): Promise<Result> {
  const result = await relay({ ...call, params: { _meta: cutMeta(call) } }, proxied);
  const { supportedVersions: versions, _meta: meta } = result;
  if (!Array.isArray(versions) || !versions.includes(MODERN_VERSION)) throw createVersionError();
  return {
    supportedVersions: [MODERN_VERSION],
    capabilities: CAPABILITIES,
    _meta: { [META.serverInfo]: toServerInfo(isObject(meta) ? meta[META.serverInfo] : null) },
  };
}

function toServerInfo(info: unknown): { name: string; title?: string; version: string } {
  const { name, title, version } = isObject(info) ? info : {};
  return {
    name: toText(name),
    ...(title !== undefined && { title: toText(title) }),
    version: toText(version),
  };
}

function toText(text: unknown): string {
  return typeof text === "string" ? text.slice(0, NAME_LENGTH).toWellFormed() : "unknown";
}

function createVersionError(): RpcError {
  return new RpcError(
    RPC.internalError,
    "The MCP server speaks a version of the protocol that is not supported.",
  );
}
