import type { Call } from "./call.ts";
import type { Method, Result } from "./method.ts";
import { LIST_TTL_MS, RPC } from "./protocol.ts";
import { rejectUnknown } from "./reject-unknown.ts";
import { RpcError } from "./rpc-error.ts";

/** What clients can read by its URI. */
export type Resources = {
  /** The kinds that there are, as the protocol describes them. */
  templates: readonly object[];
  /** Those to begin with. */
  list: (call: Call) => Promise<object[]>;
  /**
   * Reads one.
   *
   * @returns its contents as the protocol spells them.
   * @throws {DomainError} not_found; insufficient_scope.
   */
  read: (call: Call, uri: string) => Promise<object[]>;
  /**
   * Reads the version of one that can be watched.
   *
   * @param known waits for another one, for so many seconds.
   * @throws {DomainError} not_found; insufficient_scope.
   */
  readVersion: (call: Call, uri: string, known?: { version: number; seconds: number }) => Promise<number>;
};

/** The methods for resources, by name. */
export function createResourceMethods(resources: Resources): [string, Method][] {
  return [
    ["resources/list", { ttlMs: 0, run: async (call) => ({ resources: await resources.list(call) }) }],
    [
      "resources/templates/list",
      { ttlMs: LIST_TTL_MS, run: () => ({ resourceTemplates: resources.templates }) },
    ],
    ["resources/read", { ttlMs: 0, run: (call) => read(call, resources) }],
  ];
}

async function read(call: Call, resources: Resources): Promise<Result> {
  const { uri } = call.params;
  if (typeof uri !== "string") throw new RpcError(RPC.invalidParams, "uri must be a string.");
  const code = call.era.name === "modern" ? RPC.invalidParams : RPC.resourceNotFound;
  return {
    contents: await resources
      .read(call, uri)
      .catch((error: unknown) => rejectUnknown(error, { code, data: { uri } })),
  };
}
