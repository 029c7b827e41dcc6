import { setTimeout as pause } from "node:timers/promises";

const LOOK_EVERY_MS = 250;

/** The socket that gets a stream's values, and a callback for the stream's error. */
type StreamConsumer = { isFull: () => boolean; onError?: (error: unknown) => void };

/**
 * Reads a stream only while its socket accepts more. Values that are superseded meanwhile are skipped by
 * the source.
 */
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
