import { setMaxListeners } from "node:events";
import { type ExecutionArgs, type ExecutionResult, execute } from "graphql";
import type { Ctx } from "../domain/kernel/context.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { executeMetered } from "./execute-metered.ts";

/**
 * Returns the answer of a query or mutation as a stream of one value, because graphql-ws tells streams when
 * the client completes them. Then the execution is aborted and the stream ends without a value.
 */
export function createAnswerStream(
  args: ExecutionArgs,
  { mask, rateLimit }: { mask: (result: ExecutionResult) => ExecutionResult; rateLimit: RateLimit },
): AsyncIterableIterator<ExecutionResult, void> &
  Required<Pick<AsyncIterator<ExecutionResult, void>, "return">> {
  // Every operation's context is a Ctx.
  const ctx = args.contextValue as Ctx;
  const over = new AbortController();
  // One listener for each field that waits.
  setMaxListeners(0, over.signal);
  function end(): void {
    over.abort();
  }
  ctx.signal?.addEventListener("abort", end, { once: true, signal: over.signal });
  ctx.signal = over.signal;

  async function* answer(): AsyncGenerator<ExecutionResult, void> {
    try {
      const result = mask(await executeMetered(args, execute, rateLimit));
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
