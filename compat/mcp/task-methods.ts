import type { Call } from "./call.ts";
import { type DeferredCall, takesDeferredCalls, toTask } from "./deferred-call.ts";
import type { Method, Result } from "./method.ts";
import { EXTENSIONS, RPC } from "./protocol.ts";
import { RpcError } from "./rpc-error.ts";
import { rejectUnknown } from "./reject-unknown.ts";

/** Where the calls are that were deferred. */
export type DeferredCalls = {
  /**
   * Reads one, once it is over or this time.
   *
   * @throws {DomainError} not_found; insufficient_scope.
   */
  read: (call: Call, id: string, seconds: number) => Promise<DeferredCall>;
  /** Withdraws it if that is possible, so that nobody waits for it. */
  cancel: (call: Call, id: string) => Promise<unknown>;
};

/** The methods of the extension, by name. */
export function createTaskMethods(deferred: DeferredCalls): [string, Method][] {
  return [
    ["tasks/get", createMethod(async (call, id) => toTask(await deferred.read(call, id, 0)))],
    // Nothing is asked by way of the client: its answer would be the agent's, not a person's.
    ["tasks/update", createMethod(async (call, id) => void (await deferred.read(call, id, 0)))],
    ["tasks/cancel", createMethod(async (call, id) => void (await deferred.cancel(call, id)))],
  ];
}

/** @throws {RpcError} missingCapability. */
export function requireTasks({ era }: Call): void {
  if (takesDeferredCalls(era)) return;
  throw new RpcError(RPC.missingCapability, `The client must declare the extension ${EXTENSIONS.tasks}.`, {
    status: 400,
    data: { requiredCapabilities: { extensions: { [EXTENSIONS.tasks]: {} } } },
  });
}

function createMethod(run: (call: Call, id: string) => Promise<Result | undefined>): Method {
  return {
    run: async (call) => {
      requireTasks(call);
      const { taskId: id } = call.params;
      if (typeof id !== "string") throw new RpcError(RPC.invalidParams, "taskId must be a string.");
      return (await run(call, id).catch((error: unknown) => rejectUnknown(error))) ?? {};
    },
  };
}
