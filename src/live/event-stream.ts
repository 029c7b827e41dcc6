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
    /** Tells when it ends. */
    onEnd: (tell: () => void) => void;
  };

const DONE: IteratorReturnResult<void> = { done: true, value: undefined };

/** Parks a subscription until it is ended. */
export function parkStream(request: EventRequest): EventStream {
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));

  function next(): Promise<IteratorResult<never, void>> {
    return ended.then(() => DONE);
  }
  function finish(): Promise<IteratorResult<never, void>> {
    end?.();
    return next();
  }
  return {
    request,
    onEnd: (tell) => void ended.then(tell),
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
  return "request" in value && "onEnd" in value;
}
