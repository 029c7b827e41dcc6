import { type ExecutionArgs, type ExecutionResult, execute } from "graphql";

/** What a subscription's source gives, each executed as the document asks. Ends with its source. */
export function executedStream(
  source: AsyncIterable<unknown>,
  args: ExecutionArgs,
  masked: (result: ExecutionResult) => ExecutionResult,
): AsyncIterableIterator<ExecutionResult, void> {
  const iterator = source[Symbol.asyncIterator]();
  const end: IteratorReturnResult<undefined> = { done: true, value: undefined };
  async function finish(): Promise<IteratorResult<ExecutionResult, void>> {
    await iterator.return?.();
    return end;
  }
  return {
    next: async () => {
      const next = await iterator.next();
      if (next.done === true) return end;
      return { done: false, value: masked(await execute({ ...args, rootValue: next.value })) };
    },
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
