import { type ExecutionArgs, type ExecutionResult, type GraphQLError, execute } from "graphql";
import type { Ctx } from "../domain/kernel/context.ts";
import { type Turns, runInTurn } from "../domain/kernel/turns.ts";

/** How subscription values are executed: in the workspace's turn, with errors masked for the client. */
export type Execution = {
  takeTurn: Turns["run"];
  mask: (result: ExecutionResult) => ExecutionResult;
  maskError: (error: unknown) => GraphQLError;
};

/** Executes the document for each value of a subscription's source. Ends with the source. */
export function executeStream(
  source: AsyncIterable<unknown>,
  args: ExecutionArgs,
  { takeTurn, mask, maskError }: Execution,
): AsyncIterableIterator<ExecutionResult, void> {
  const iterator = source[Symbol.asyncIterator]();
  const end: IteratorReturnResult<undefined> = { done: true, value: undefined };
  // Every operation's context is a Ctx.
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
