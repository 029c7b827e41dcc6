import type { Duplex } from "node:stream";

/** Combines everything written to a stream by `write` into one write. */
export function batchWrites<Result>(stream: Duplex, write: () => Result): Result {
  stream.cork();
  try {
    return write();
  } finally {
    stream.uncork();
  }
}
