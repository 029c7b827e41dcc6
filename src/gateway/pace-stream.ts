import { setTimeout as pause } from "node:timers/promises";

const LOOK_EVERY_MS = 250;

/** Where a stream's values go, and who is told what ended it. */
type StreamConsumer = { isFull: () => boolean; onError?: (error: unknown) => void };

/** A stream that is read on only while its socket takes more: what it then gives is the newest that it has. */
export function paceStream<Value>(
  stream: AsyncIterable<Value>,
  { isFull, onError }: StreamConsumer,
): AsyncIterableIterator<Value, void> & Required<Pick<AsyncIterator<Value, void>, "return">> {
  const iterator = stream[Symbol.asyncIterator]();
  const ended = new AbortController();
  return {
    next: async () => {
      while (isFull() && !ended.signal.aborted) await pause(LOOK_EVERY_MS);
      return iterator.next().catch((error: unknown) => {
        onError?.(error);
        throw error;
      });
    },
    return: async () => {
      ended.abort();
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
