import { setMaxListeners } from "node:events";
import { type ExecutionArgs, type ExecutionResult, execute } from "graphql";
import type { Ctx } from "../domain/kernel/context.ts";
import { executeMetered } from "./execute-metered.ts";

/**
 * What a query or a mutation answers, as a stream of that one answer: streams hear that the client has completed
 * them. What it waits for then ends, and it answers nothing.
 */
export function createAnswerStream(
  args: ExecutionArgs,
  mask: (result: ExecutionResult) => ExecutionResult,
): AsyncIterableIterator<ExecutionResult, void> &
  Required<Pick<AsyncIterator<ExecutionResult, void>, "return">> {
  // The context of every operation here is a Ctx.
  const ctx = args.contextValue as Ctx;
  const over = new AbortController();
  // As many as have fields that wait.
  setMaxListeners(0, over.signal);
  function end(): void {
    over.abort();
  }
  ctx.signal?.addEventListener("abort", end, { once: true, signal: over.signal });
  ctx.signal = over.signal;

  async function* answer(): AsyncGenerator<ExecutionResult, void> {
    try {
      const result = mask(await executeMetered(args, execute));
      if (!over.signal.aborted) yield result;
    } finally {
      end();
    }
  }
  const stream = answer();
  return {
    next: () => stream.next(),
    return: () => {
      end();
      return stream.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
