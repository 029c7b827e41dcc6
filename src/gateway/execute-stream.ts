import { type ExecutionArgs, type ExecutionResult, type GraphQLError, execute } from "graphql";
import type { Ctx } from "../domain/kernel/context.ts";
import { type Turns, runInTurn } from "../live/turns.ts";

/** How what comes is executed: in the workspace's turn, and with faults as whoever reads may see them. */
export type Execution = {
  takeTurn: Turns["run"];
  mask: (result: ExecutionResult) => ExecutionResult;
  maskError: (error: unknown) => GraphQLError;
};

/** What a subscription's source gives, each executed as the document asks. Ends with its source. */
export function executeStream(
  source: AsyncIterable<unknown>,
  args: ExecutionArgs,
  { takeTurn, mask, maskError }: Execution,
): AsyncIterableIterator<ExecutionResult, void> {
  const iterator = source[Symbol.asyncIterator]();
  const end: IteratorReturnResult<undefined> = { done: true, value: undefined };
  // The context of every operation here is a Ctx.
  const { workspaceId } = args.contextValue as Ctx;

  async function executed(rootValue: unknown): Promise<ExecutionResult> {
    return mask(await runInTurn(takeTurn, workspaceId, () => execute({ ...args, rootValue })));
  }

  async function finish(): Promise<IteratorResult<ExecutionResult, void>> {
    await iterator.return?.();
    return end;
  }
  return {
    next: async () => {
      try {
        const next = await iterator.next();
        if (next.done === true) return end;
        return { done: false, value: await executed(next.value) };
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
