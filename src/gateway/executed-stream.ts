import { type ExecutionArgs, type ExecutionResult, type GraphQLError, execute } from "graphql";

/** What whoever reads may see of faults: those of a result, and what ended the stream. */
type Masks = {
  masked: (result: ExecutionResult) => ExecutionResult;
  maskError: (error: unknown) => GraphQLError;
};

/** What a subscription's source gives, each executed as the document asks. Ends with its source. */
export function executedStream(
  source: AsyncIterable<unknown>,
  args: ExecutionArgs,
  { masked, maskError }: Masks,
): AsyncIterableIterator<ExecutionResult, void> {
  const iterator = source[Symbol.asyncIterator]();
  const end: IteratorReturnResult<undefined> = { done: true, value: undefined };
  async function finish(): Promise<IteratorResult<ExecutionResult, void>> {
    await iterator.return?.();
    return end;
  }
  return {
    next: async () => {
      try {
        const next = await iterator.next();
        if (next.done === true) return end;
        return { done: false, value: masked(await execute({ ...args, rootValue: next.value })) };
      } catch (error) {
        throw maskError(error);
      }
    },
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
