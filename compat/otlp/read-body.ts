import type { IncomingMessage } from "node:http";
import { type Gunzip, createGunzip } from "node:zlib";
import { DomainError, createBodyError } from "../../src/domain/kernel/errors.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";

type BodyOptions = {
  /** Before and after decompression. */
  maxBytes: number;
  isGzip: boolean;
  /** Reserves memory for the bytes that have come; null if there is none. */
  hold: (bytes: number) => ReturnType<HoldBody>;
};

type BodyProblem = Parameters<typeof createBodyError>[0];

/** Exporters give up after this time. */
const READ_MS = 10_000;
/** Memory is reserved in steps: each as large as what is reserved, up to the largest. */
const STEP_BYTES = { least: 4096, most: 262_144 };
/** The least size of what an honest client sends at once; the first ones may be smaller. */
const [CHUNK_BYTES, FIRST_CHUNKS] = [64, 1024];

/**
 * Reads a body while it is decompressed. Never holds more than the limit, or than has come.
 *
 * @throws {DomainError} payload_too_large; invalid_body for gzip that is broken or incomplete; unavailable if there is
 *   no memory for it, or it comes too slowly.
 */
export function readBody(incoming: IncomingMessage, options: BodyOptions): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const gunzip = options.isGzip ? createGunzip() : null;
    const output: IncomingMessage | Gunzip = gunzip ?? incoming;
    const meter = createMeter(options.maxBytes);
    const body = createCollector(options);
    const deadline = setTimeout(() => fail(createSlowError()), READ_MS);

    function receive(chunk: Buffer): void {
      refuseFor(meter(chunk));
    }

    function add(chunk: Buffer): void {
      refuseFor(body.add(chunk));
    }

    function refuseFor(problem: BodyProblem | null): void {
      if (problem !== null) fail(createBodyError(problem, options.maxBytes));
    }

    function end(): void {
      settle(() => resolve(body.take()));
    }

    /** A request that was read to its end is closed too. */
    function close(): void {
      if (!incoming.readableEnded) leave();
    }

    function leave(): void {
      fail(new DomainError("invalid_body", "The client left before its body had arrived."));
    }

    function failToGunzip(): void {
      fail(new DomainError("invalid_body", "The body is not complete gzip."));
    }

    function fail(error: DomainError): void {
      settle(() => reject(error));
    }

    function settle(how: () => void): void {
      clearTimeout(deadline);
      incoming.off("data", receive).off("error", leave).off("close", close);
      output.off("data", add).off("end", end);
      incoming.unpipe().pause();
      // Its own errors come later.
      gunzip?.off("error", failToGunzip).on("error", ignore).destroy();
      how();
    }

    if (incoming.destroyed && !incoming.readableEnded) return leave();
    incoming.on("data", receive).on("error", leave).on("close", close);
    output.on("data", add).on("end", end);
    if (gunzip !== null) incoming.pipe(gunzip.on("error", failToGunzip));
  });
}

/** Counts what comes, before decompression. */
function createMeter(maxBytes: number): (chunk: Buffer) => BodyProblem | null {
  let [received, chunks] = [0, 0];
  return ({ length }) => {
    received += length;
    chunks++;
    if (received > maxBytes) return "too large";
    return chunks > FIRST_CHUNKS + maxBytes / CHUNK_BYTES ? "too many chunks" : null;
  };
}

/** Collects what was decompressed, in memory that is reserved for it. */
function createCollector({ maxBytes, hold }: BodyOptions) {
  let body = new Uint8Array(0);
  let [size, held] = [0, 0];
  return {
    add: (chunk: Buffer): BodyProblem | null => {
      const needed = size + chunk.length;
      if (needed > maxBytes) return "too large";
      while (held < needed) {
        const step = Math.min(STEP_BYTES.most, Math.max(STEP_BYTES.least, held));
        if (hold(step) === null) return "no room";
        held += step;
      }
      if (needed > body.length) body = grow(body, needed, maxBytes);
      body.set(chunk, size);
      size = needed;
      return null;
    },
    take: () => body.subarray(0, size),
  };
}

function createSlowError(): DomainError {
  return new DomainError("unavailable", "The body came too slowly. Try again in a few seconds.");
}

/** Doubles a buffer, up to `maxBytes`. */
function grow(body: Uint8Array, bytes: number, maxBytes: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.min(maxBytes, Math.max(bytes, body.length * 2)));
  grown.set(body);
  return grown;
}

function ignore(): void {}
