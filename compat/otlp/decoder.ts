import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import type { TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import { decode } from "./decode.ts";
import type { DecodeAnswer, DecodeTask } from "./decode-messages.ts";

/** Reads bodies, large ones in a thread. */
export type Decoder = {
  /** @throws {DomainError} invalid_body; payload_too_large; unavailable if too many large bodies wait. */
  decode: (task: DecodeTask) => Promise<TelemetryBatch>;
};

/** Bodies up to this size are read at once, which takes about a millisecond. */
const INLINE_BYTES = 262_144;
/** The most large bodies at once: one is read, the others wait. */
const MOST_WAITING = 32;
/** The longest time for one body. After it the thread is terminated. */
const DECODE_MS = 20_000;
/** How long a thread without work is kept. */
const IDLE_MS = 30_000;

const RESOURCES = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 };
const EXTENSION = extname(new URL(import.meta.url).pathname);
const ENTRY = new URL(`decode-worker${EXTENSION}`, import.meta.url);
/** Loads the source with tsx, if this module runs from source: threads don't inherit the loader. */
const FROM_SOURCE = `import("tsx/esm/api").then(({ tsImport }) => tsImport("${ENTRY.href}", "${ENTRY.href}"))`;

/** Creates a decoder. Its thread starts with the first large body, and ends when there are no more. */
export function createDecoder(): Decoder {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  function getWorker(): Worker {
    if (worker !== null) return worker;
    const started = startWorker();
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    worker = started;
    return started;
  }

  async function endIfIdle(): Promise<void> {
    if (waiting === 0) await worker?.terminate();
  }

  async function inTurn(task: DecodeTask): Promise<TelemetryBatch> {
    waiting++;
    const turn = last.then(() => ask(getWorker(), task));
    last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      waiting--;
      if (waiting === 0) setTimeout(() => void endIfIdle(), IDLE_MS).unref();
    }
  }

  return {
    decode: async (task) => {
      if (task.bytes.length <= INLINE_BYTES) return decode(task.bytes, task.encoding, task.options);
      if (waiting >= MOST_WAITING)
        throw new DomainError("unavailable", "Too many large requests at once. Try again in a few seconds.");
      return inTurn(task);
    },
  };
}

function startWorker(): Worker {
  const isSource = EXTENSION === ".ts";
  const worker = new Worker(isSource ? FROM_SOURCE : ENTRY, {
    eval: isSource,
    name: "otlp",
    // It needs no environment variables.
    env: {},
    execArgv: [],
    resourceLimits: RESOURCES,
  });
  worker.unref();
  return worker;
}

/** Reads a body in the thread. The thread ends if it takes too long or too much memory. */
async function ask(worker: Worker, task: DecodeTask): Promise<TelemetryBatch> {
  const deadline = setTimeout(() => void worker.terminate(), DECODE_MS);
  try {
    return await exchange(worker, task);
  } finally {
    clearTimeout(deadline);
  }
}

function exchange(worker: Worker, task: DecodeTask): Promise<TelemetryBatch> {
  return new Promise((resolve, reject) => {
    const spans: TelemetryBatch["spans"] = [];

    function onMessage(answer: DecodeAnswer): void {
      if (answer.type === "spans") {
        for (const span of answer.spans) spans.push(span);
        return;
      }
      settle();
      if (answer.type === "error") return reject(new DomainError(answer.code, answer.message));
      const { resources, rejected } = answer;
      resolve({ spans, resources, rejected });
    }

    function onEnd(): void {
      settle();
      reject(new DomainError("invalid_body", "The body takes too much time or memory to read. Send less."));
    }

    function settle(): void {
      worker.off("message", onMessage).off("exit", onEnd).off("error", ignore);
    }

    worker.on("message", onMessage).on("exit", onEnd).on("error", ignore);
    worker.postMessage(task, [task.bytes.buffer]);
  });
}

/** The thread exits after an error. */
function ignore(): void {}
