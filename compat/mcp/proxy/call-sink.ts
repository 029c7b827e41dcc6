import type { CallProgress } from "../../../src/auth/upstream/call-mcp-tool.ts";
import type { TextStream } from "../event-stream.ts";

/** What is told while a call goes on, and the event stream that may have to begin for it. */
export type CallStream = CallProgress & {
  /** Resolves when something is to be told. */
  begun: Promise<"begun">;
  /** Where it is told from now on. */
  attach: (stream: TextStream) => void;
};

export function createCallStream(): CallStream {
  const begun = createDeferred<"begun">();
  const attached = createDeferred<TextStream>();
  return {
    begun: begun.promise,
    attach: attached.resolve,
    onWait: () => begun.resolve("begun"),
    onStream: () => begun.resolve("begun"),
    pass: async (text) => {
      const stream = await attached.promise;
      stream.sendText(text);
      await stream.untilRead();
    },
  };
}

function createDeferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  const waiting: { resolve?: (value: Value) => void } = {};
  const promise = new Promise<Value>((resolve) => {
    waiting.resolve = resolve;
  });
  return { promise, resolve: (value) => waiting.resolve?.(value) };
}

/** For clients that take no event streams: they get the answer alone. */
export function createSilence(): CallProgress {
  return { onWait: () => {}, onStream: () => {}, pass: async () => {} };
}
