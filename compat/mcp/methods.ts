import { isObject } from "../../src/domain/kernel/is-object.ts";
import type { Call } from "./call.ts";
import { createListenMethod } from "./listen-method.ts";
import { takesDeferredCalls } from "./deferred-call.ts";
import type { Method, Methods, Result } from "./method.ts";
import { EXTENSIONS, LIST_TTL_MS, LEGACY_VERSIONS, MODERN_VERSION, RPC, SERVER_INFO } from "./protocol.ts";
import { RpcError, quote } from "./rpc-error.ts";
import { type Prompt, createPromptMethods } from "./prompt-methods.ts";
import { type Resources, createResourceMethods } from "./resource-methods.ts";
import { type DeferredCalls, createTaskMethods } from "./task-methods.ts";
import type { Tool } from "./tool.ts";
import { WAIT_SECONDS } from "./tools/shapes.ts";

/** What a server offers. */
export type Surface = {
  instructions: string;
  tools: readonly Tool[];
  resources: Resources;
  prompts: readonly Prompt[];
  deferredCalls: DeferredCalls;
};

/** The methods of a server that offers this. */
export function createMethods({ instructions, tools, resources, prompts, deferredCalls }: Surface): Methods {
  const shared: [string, Method][] = [
    ["tools/list", { ttlMs: LIST_TTL_MS, run: ({ ctx }) => ({ tools: listTools(tools, ctx) }) }],
    ["tools/call", createToolsCall(tools)],
    ...createResourceMethods(resources),
    ...createPromptMethods(prompts),
  ];
  const initialize = { run: (call: Call) => describeLegacy(call, instructions) };
  const discover = { ttlMs: LIST_TTL_MS, run: () => ({ ...MODERN, instructions }) };
  return {
    legacy: new Map([...shared, ["initialize", initialize], ["ping", { run: () => ({}) }]]),
    modern: new Map([
      ...shared,
      ...createTaskMethods(deferredCalls),
      ["subscriptions/listen", createListenMethod({ resources, deferredCalls })],
      ["server/discover", discover],
    ]),
  };
}

const CAPABILITIES = { tools: {}, resources: {}, prompts: {} };

const MODERN = {
  supportedVersions: [MODERN_VERSION],
  capabilities: { ...CAPABILITIES, resources: { subscribe: true }, extensions: { [EXTENSIONS.tasks]: {} } },
};

/** A client that asks for another version gets the newest that begins so, and decides. */
function describeLegacy({ params }: Call, instructions: string): Result {
  const { protocolVersion: asked } = params;
  const version = LEGACY_VERSIONS.find((known) => known === asked) ?? LEGACY_VERSIONS.at(-1);
  return { protocolVersion: version, capabilities: CAPABILITIES, serverInfo: SERVER_INFO, instructions };
}

/** The tools for which the caller has the scopes. */
function listTools(tools: readonly Tool[], { actor }: Call["ctx"]): object[] {
  const own = actor.type === "agent" ? actor.scopes : new Set();
  return tools
    .filter(({ scopes }) => scopes.every((scope) => own.has(scope)))
    .map(({ definition }) => definition);
}

function createToolsCall(tools: readonly Tool[]): Method {
  const byName = new Map<unknown, Tool>(tools.map((tool) => [tool.name, tool]));
  return {
    run: async (call) => findTool(byName, call.params).run(call, readArguments(call.params)),
    getWaitSeconds: ({ era, params }) => {
      const tool = byName.get(params["name"]);
      if (tool === undefined || (tool.isDeferrable && takesDeferredCalls(era))) return 0;
      const asked = isObject(params["arguments"]) ? params["arguments"]["wait_s"] : undefined;
      if (typeof asked !== "number") return tool.usualWaitSeconds;
      return Math.min(Math.max(asked, WAIT_SECONDS.min), WAIT_SECONDS.max);
    },
  };
}

/** @throws {RpcError} invalidParams. */
function findTool(byName: ReadonlyMap<unknown, Tool>, { name }: Call["params"]): Tool {
  if (typeof name !== "string") throw new RpcError(RPC.invalidParams, "name must be the name of a tool.");
  const tool = byName.get(name);
  if (tool === undefined) throw new RpcError(RPC.invalidParams, `There is no tool ${quote(name)}.`);
  return tool;
}

/** @throws {RpcError} invalidParams. */
function readArguments({ arguments: given = {} }: Call["params"]): object {
  if (isObject(given)) return given;
  throw new RpcError(RPC.invalidParams, "arguments must be an object.");
}
