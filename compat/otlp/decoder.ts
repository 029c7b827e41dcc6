import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { type MostBytes, type WaitingItem, openFairQueue } from "../../src/domain/kernel/fair-queue.ts";
import { createTurns } from "../../src/domain/kernel/turns.ts";
import type { TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import { decodeInSteps } from "./decode.ts";
import type { DecodeAnswer, DecodeMessage, DecodeTask } from "./decode-messages.ts";

/** Reads bodies, large ones in a thread. */
export type Decoder = {
  /** @throws {DomainError} invalid_body; payload_too_large; unavailable if too many large bodies of the workspace wait. */
  decode: (task: DecodeTask) => Promise<TelemetryBatch>;
};

/** Bodies up to this size are read at once, in turns. */
const INLINE_BYTES = 262_144;
/** The longest time for one body. After it the thread is terminated. */
const DECODE_MS = 20_000;
/** How long a thread without work is kept. */
const IDLE_MS = 30_000;

const RESOURCES = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 };
const EXTENSION = extname(new URL(import.meta.url).pathname);
const ENTRY = new URL(`decode-worker${EXTENSION}`, import.meta.url);
/** Loads the source with tsx, if this module runs from source: threads don't inherit the loader. */
const FROM_SOURCE = `import("tsx/esm/api").then(({ tsImport }) => tsImport("${ENTRY.href}", "${ENTRY.href}"))`;

/** A large body that waits for the thread. */
type Waiting = WaitingItem & { start: () => Promise<void> };

/**
 * Creates a decoder. Its thread starts with the first large body, and ends when there are no more. It reads one body
 * after the other, next that of the workspace that has used it least.
 *
 * @param mostBytes of large bodies that wait.
 */
export function createDecoder(mostBytes: MostBytes): Decoder {
  const { run: takeTurn } = createTurns();
  const queue = openFairQueue<Waiting>(mostBytes);
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let isBusy = false;

  function getWorker(): Worker {
    if (worker !== null) return worker;
    const started = startWorker();
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    worker = started;
    return started;
  }

  async function serve(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(idle);
    for (;;) {
      const next = queue.begin(() => true);
      if (next === null) break;
      const startedMs = performance.now();
      await next.start();
      queue.end(next, performance.now() - startedMs);
    }
    isBusy = false;
    idle = setTimeout(() => void worker?.terminate(), IDLE_MS).unref();
  }

  async function decodeApart(task: DecodeTask): Promise<TelemetryBatch> {
    const { workspaceId } = task.options;
    return new Promise((resolve, reject) => {
      function start(): Promise<void> {
        return ask(getWorker(), task).then(resolve, reject);
      }
      if (!queue.add({ workspaceId, bytes: task.bytes.length, start })) return reject(createBusyError());
      serve().catch(reject);
    });
  }

  return {
    decode: async (task) =>
      task.bytes.length > INLINE_BYTES
        ? decodeApart(task)
        : takeTurn(task.options.workspaceId, decodeInSteps(task.bytes, task.encoding, task.options)),
  };
}

function createBusyError(): DomainError {
  return new DomainError("unavailable", "Too many large requests at once. Try again in a few seconds.");
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
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's postMessage has none.
        worker.postMessage("more" satisfies DecodeMessage);
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
