import { parentPort } from "node:worker_threads";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { decode } from "./decode.ts";
import type { DecodeAnswer, DecodeMessage, DecodeTask } from "./decode-messages.ts";

/** How many spans are sent at once: the other thread asks for more when it has time for them. */
const CHUNK = 500;

let answers: Iterator<DecodeAnswer> | null = null;

parentPort?.on("message", (message: DecodeMessage) => {
  if (message !== "more") answers = answer(message);
  const next = answers?.next();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's postMessage has none.
  if (next?.done === false) parentPort?.postMessage(next.value);
});

function* answer({ bytes, encoding, options }: DecodeTask): Iterator<DecodeAnswer> {
  try {
    const { spans, ...rest } = decode(bytes, encoding, options);
    for (let start = 0; start < spans.length; start += CHUNK) {
      yield { type: "spans", spans: spans.slice(start, start + CHUNK) };
    }
    yield { type: "end", ...rest };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    yield { type: "error", code: error.code, message: error.message };
  }
}
