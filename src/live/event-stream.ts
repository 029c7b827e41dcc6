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
    ended: Promise<void>;
  };

/** Parks a subscription until it is ended. */
export function parkStream(request: EventRequest): EventStream {
  const { promise: ended, resolve: end } = settleable();
  async function next(): Promise<IteratorResult<never, void>> {
    await ended;
    return { done: true, value: undefined };
  }
  function finish(): Promise<IteratorResult<never, void>> {
    end();
    return next();
  }
  return {
    request,
    ended,
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

function settleable(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
