import type { IncomingMessage } from "node:http";

/** Why a chunked body is rejected. */
export type ChunksProblem = "too large" | "too many chunks";

/** Each chunk costs about two microseconds, so a body may have this many and one for each `CHUNK_BYTES`. */
const FIRST_CHUNKS = 1024;
const CHUNK_BYTES = 64;

/** The most chunks of a body of at most so many bytes. */
export function getMostChunks(maxBytes: number): number {
  return FIRST_CHUNKS + maxBytes / CHUNK_BYTES;
}

/**
 * Reads a chunked body of at most `maxBytes`. Copies each chunk: it would keep the whole network buffer that
 * it arrived in.
 *
 * @throws if the client leaves before the end.
 */
export function readChunks(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | ChunksProblem> {
  return new Promise((resolve, reject) => {
    const maxChunks = getMostChunks(maxBytes);
    let body = new Uint8Array(0);
    let size = 0;
    let chunks = 0;

    function add(chunk: Buffer): void {
      chunks++;
      if (size + chunk.length > maxBytes) return settle(() => resolve("too large"));
      if (chunks > maxChunks) return settle(() => resolve("too many chunks"));
      if (size + chunk.length > body.length) body = grow(body, size + chunk.length, maxBytes);
      body.set(chunk, size);
      size += chunk.length;
    }

    function end(): void {
      settle(() => resolve(body.subarray(0, size)));
    }

    function fail(): void {
      settle(() => reject(incoming.errored ?? new Error("The client left before its body had arrived.")));
    }

    function settle(how: () => void): void {
      incoming.off("data", add).off("end", end).off("error", fail).off("close", fail).pause();
      how();
    }

    if (incoming.destroyed) return fail();
    incoming.on("end", end).on("error", fail).on("close", fail).on("data", add);
  });
}

/** Doubles a buffer, up to `maxBytes`. */
function grow(body: Uint8Array, bytes: number, maxBytes: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.min(maxBytes, Math.max(bytes, body.length * 2)));
  grown.set(body);
  return grown;
}
