import type { EventFilter } from "../domain/event-log/event-filter.ts";
import type { EventStart } from "../domain/event-log/read-start.ts";

export type EventRequest = { workspaceId: string; start: EventStart; filter: EventFilter };

/**
 * A subscription as GraphQL sees it: a generator that never yields, because the feed writes the frames
 * itself. Ends on `return()`.
 */
export type EventStream = AsyncIterableIterator<never, void> &
  Required<Pick<AsyncIterator<never, void>, "return" | "throw">> & {
    request: EventRequest;
    /** Registers a callback for its end. */
    onEnd: (tell: () => void) => void;
  };

const DONE: IteratorReturnResult<void> = { done: true, value: undefined };

/** Creates a stream that stays open until it is ended. */
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

/** Whether the result of a subscription's resolver is an EventStream. */
export function isEventStream(value: object): value is EventStream {
  return "request" in value && "onEnd" in value;
}
