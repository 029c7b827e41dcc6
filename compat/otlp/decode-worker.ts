import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { createTurns } from "../../src/domain/kernel/turns.ts";
import { decodeInSteps } from "./decode.ts";
import type { DecodeAnswer, DecodeMessage } from "./decode-messages.ts";

/** How many spans, calls and points are sent at once: the other thread asks for more when it has time for them. */
const CHUNK = 500;

/** However long one body takes, others are read meanwhile. */
const { run: takeTurn } = createTurns();

parentPort?.on("message", (message: DecodeMessage) => {
  // The other thread sees that the port is closed.
  work(message).catch(() => {});
});

async function work({ port, ...task }: DecodeMessage): Promise<void> {
  try {
    for await (const part of answer(task)) {
      port.postMessage(part);
      if (part.type === "part") await once(port, "message");
    }
  } finally {
    port.close();
  }
}

async function* answer({ options, ...body }: Omit<DecodeMessage, "port">): AsyncGenerator<DecodeAnswer> {
  try {
    const { spans, calls, points, ...rest } = await takeTurn(
      options.workspaceId,
      decodeInSteps(body, options),
    );
    const length = Math.max(spans.length, calls.length, points.length);
    for (let start = 0; start < length; start += CHUNK) {
      const place = [start, start + CHUNK] as const;
      yield {
        type: "part",
        spans: spans.slice(...place),
        calls: calls.slice(...place),
        points: points.slice(...place),
      };
    }
    yield { type: "end", ...rest };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    yield { type: "error", code: error.code, message: error.message };
  }
}
