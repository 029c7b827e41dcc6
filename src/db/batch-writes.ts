import type { Duplex } from "node:stream";

/** Sends whatever is written to a stream meanwhile in one write. */
export function batchWrites<Result>(stream: Duplex, write: () => Result): Result {
  stream.cork();
  try {
    return write();
  } finally {
    stream.uncork();
  }
}
