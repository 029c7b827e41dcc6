import { DomainError } from "../../src/domain/kernel/errors.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import type { Call } from "./call.ts";
import { toTask } from "./deferred-call.ts";
import type { EventStream, Method, Result } from "./method.ts";
import { META, RPC } from "./protocol.ts";
import type { Resources } from "./resource-methods.ts";
import { RpcError } from "./rpc-error.ts";
import { type DeferredCalls, requireTasks } from "./task-methods.ts";

/** Each is waited for by itself. */
const MOST_WATCHED = 20;
/** Like sockets, a stream ends after a day; its client opens another. */
const LISTEN_SECONDS = 86_400;
const TURN_SECONDS = 25;

/** What can be watched. */
export type Watchable = { resources: Resources; deferredCalls: DeferredCalls };

/**
 * Tells changes of resources and ends of deferred calls, until there is nothing more to tell.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export function createListenMethod(watchable: Watchable): Method {
  return {
    isSubscription: true,
    getWaitSeconds: (call) => {
      readFilter(call);
      return LISTEN_SECONDS;
    },
    run: (call, stream) => listen(call, requireStream(stream), watchable),
  };
}

function requireStream(stream: EventStream | null): EventStream {
  if (stream !== null) return stream;
  throw new RpcError(RPC.invalidRequest, "Accept must have text/event-stream.", { status: 400 });
}

async function listen(call: Call, stream: EventStream, watchable: Watchable): Promise<Result> {
  const _meta = { [META.subscriptionId]: call.id };
  function notify(method: string, params: object): void {
    stream.send({ jsonrpc: "2.0", method, params: { ...params, _meta } });
  }
  const { resourceSubscriptions, taskIds } = readFilter(call);
  const resources = await keep(resourceSubscriptions, (uri) => watchable.resources.readVersion(call, uri));
  const tasks = await keep(taskIds, (id) => watchable.deferredCalls.read(call, id, 0));
  const notifications = {
    ...(resourceSubscriptions !== undefined && { resourceSubscriptions: resources.map(({ key }) => key) }),
    ...(taskIds !== undefined && { taskIds: tasks.map(({ key }) => key) }),
  };
  notify("notifications/subscriptions/acknowledged", { notifications });
  const turns = createTurns(call, stream);
  await Promise.all([
    ...resources.map(({ key: uri, value }) =>
      turns(value, async (version) => {
        const newest = await watchable.resources.readVersion(call, uri, { version, seconds: TURN_SECONDS });
        if (newest !== version) notify("notifications/resources/updated", { uri });
        return newest;
      }),
    ),
    ...tasks.map(({ key: id, value }) =>
      turns(value, async (known) => {
        const deferred =
          known.status === "working" ? await watchable.deferredCalls.read(call, id, TURN_SECONDS) : known;
        if (deferred.status === "working") return deferred;
        notify("notifications/tasks", toTask(deferred));
        return null;
      }),
    ),
  ]).catch(endQuietly);
  return { _meta };
}

/** Repeats a turn with what the last one returned, until that is null or nobody listens any more. */
function createTurns({ ctx }: Call, { untilRead }: EventStream) {
  const untilMs = performance.now() + LISTEN_SECONDS * 1000;
  let isOver = false;
  function isEnded(): boolean {
    const isStopping = ctx.services.stopping?.aborted === true;
    return isOver || isStopping || ctx.signal?.aborted === true || performance.now() >= untilMs;
  }
  return async <Known>(first: Known, turn: (known: Known) => Promise<Known | null>): Promise<void> => {
    try {
      for (let known: Known | null = first; known !== null && !isEnded(); known = await turn(known)) {
        await untilRead();
      }
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
}

/** Keeps what the caller may read. */
async function keep<Value>(
  keys: readonly string[] | undefined,
  read: (key: string) => Promise<Value>,
): Promise<{ key: string; value: Value }[]> {
  const kept: { key: string; value: Value }[] = [];
  for (const key of keys ?? []) {
    try {
      kept.push({ key, value: await read(key) });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
  }
  return kept;
}

function isUnreadable(error: unknown): boolean {
  return error instanceof DomainError && (error.code === "not_found" || error.code === "insufficient_scope");
}

/** Who may not listen any more is told so when another stream is opened. */
function endQuietly(error: unknown): void {
  if (!(error instanceof DomainError) || error.code === "rate_limited") throw error;
}

type Filter = { resourceSubscriptions: string[] | undefined; taskIds: string[] | undefined };

/** @throws {RpcError} invalidParams; missingCapability. */
function readFilter(call: Call): Filter {
  const { notifications } = call.params;
  if (!isObject(notifications)) throw new RpcError(RPC.invalidParams, "notifications must be an object.");
  const { resourceSubscriptions, taskIds } = notifications;
  if (taskIds !== undefined) requireTasks(call);
  return {
    resourceSubscriptions: readNames("resourceSubscriptions", resourceSubscriptions),
    taskIds: readNames("taskIds", taskIds),
  };
}

function readNames(name: string, given: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  const isValid =
    Array.isArray(given) && given.length <= MOST_WATCHED && given.every((one) => typeof one === "string");
  if (!isValid)
    throw new RpcError(RPC.invalidParams, `${name} must be a list of at most ${MOST_WATCHED} texts.`);
  return [...new Set(given)];
}
