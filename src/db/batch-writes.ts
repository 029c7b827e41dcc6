import type { Duplex } from "node:stream";

/** Combines everything written to a stream by `write`, and until this turn of the event loop ends, into one write. */
export function batchWrites<Result>(stream: Duplex, write: () => Result): Result {
  stream.cork();
  process.nextTick(() => stream.uncork());
  return write();
}
