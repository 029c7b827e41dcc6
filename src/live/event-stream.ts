import { once } from "node:events";
import type { EventFilter } from "../domain/event-log/event-filter.ts";
import type { EventStart } from "../domain/event-log/read-start.ts";

/** What somebody subscribes to. */
export type EventRequest = { workspaceId: string; start: EventStart; filter: EventFilter };

/**
 * A subscription as GraphQL sees it: a generator that never yields, because the feed writes the frames itself,
 * and ends when it is returned.
 */
export type EventStream = AsyncIterableIterator<never, void> &
  Required<Pick<AsyncIterator<never, void>, "return" | "throw">> & {
    request: EventRequest;
    /** Aborted when it ends. */
    ended: AbortSignal;
  };

/** Parks a subscription until it is ended. */
export function parkStream(request: EventRequest): EventStream {
  const end = new AbortController();
  async function next(): Promise<IteratorResult<never, void>> {
    if (!end.signal.aborted) await once(end.signal, "abort");
    return { done: true, value: undefined };
  }
  function finish(): Promise<IteratorResult<never, void>> {
    end.abort();
    return next();
  }
  return {
    request,
    ended: end.signal,
    next,
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Whether what a subscription's resolver gave is a parked stream. */
export function isEventStream(value: object): value is EventStream {
  return "request" in value && "ended" in value;
}
