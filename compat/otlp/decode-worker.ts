import { parentPort } from "node:worker_threads";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { decode } from "./decode.ts";
import type { DecodeAnswer, DecodeTask } from "./decode-messages.ts";

/** How many spans are sent at once, so that the other thread is never blocked for long. */
const CHUNK = 500;

parentPort?.on("message", ({ bytes, encoding, options }: DecodeTask) => {
  try {
    const { spans, ...rest } = decode(bytes, encoding, options);
    for (let start = 0; start < spans.length; start += CHUNK) {
      send({ type: "spans", spans: spans.slice(start, start + CHUNK) });
    }
    send({ type: "end", ...rest });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    send({ type: "error", code: error.code, message: error.message });
  }
});

function send(message: DecodeAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's postMessage has none.
  parentPort?.postMessage(message);
}
