/**
 * Aborts a stream when its subscription ends. A waiting generator would otherwise end only at its next value.
 */
export function abortOnReturn<Value>(
  stream: AsyncGenerator<Value, void>,
  ended: AbortController,
): AsyncIterableIterator<Value, void> {
  return {
    next: () => stream.next(),
    return: async () => {
      ended.abort();
      return stream.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
