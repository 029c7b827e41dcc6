import { extname } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { type MostBytes, type WaitingItem, openFairQueue } from "../../src/domain/kernel/fair-queue.ts";
import { createTurns } from "../../src/domain/kernel/turns.ts";
import type { TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import { decodeInSteps } from "./decode.ts";
import type { DecodeAnswer, DecodeTask, DecodedList } from "./decode-messages.ts";

/** Reads bodies, large ones in a thread. */
export type Decoder = {
  /** @throws {DomainError} invalid_body; payload_too_large; unavailable if too many large bodies of the workspace wait. */
  decode: (task: DecodeTask) => Promise<TelemetryBatch>;
};

/** Bodies up to this size are read at once, in turns. */
const INLINE_BYTES = 262_144;
/** How many large bodies are read at once, each of another workspace, in turns. */
const AT_ONCE = 3;
/** The thread is terminated if a body takes longer. What one may hold takes a few seconds. */
const DECODE_MS = 60_000;
/** How long a thread without work is kept. */
const IDLE_MS = 30_000;

const RESOURCES = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 };
const EXTENSION = extname(new URL(import.meta.url).pathname);
const ENTRY = new URL(`decode-worker${EXTENSION}`, import.meta.url);
/** Loads the source with tsx, if this module runs from source: threads don't inherit the loader. */
const FROM_SOURCE = `import("tsx/esm/api").then(({ tsImport }) => tsImport("${ENTRY.href}", "${ENTRY.href}"))`;

/** A large body that waits for the thread. */
type Waiting = WaitingItem & { start: () => Promise<void> };

/**
 * Creates a decoder. Its thread starts with the first large body, and ends when there are no more. It reads some bodies
 * at once, next that of the workspace that has used it least.
 *
 * @param mostBytes of large bodies that wait.
 */
export function createDecoder(mostBytes: MostBytes): Decoder {
  const { run: takeTurn } = createTurns();
  const queue = openFairQueue<Waiting>(mostBytes);
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let running = 0;

  function getWorker(): Worker {
    if (worker !== null) return worker;
    const started = startWorker();
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    worker = started;
    return started;
  }

  function serve(): void {
    clearTimeout(idle);
    while (running < AT_ONCE) {
      const next = queue.begin(() => true);
      if (next === null) break;
      running++;
      read(next).catch(() => {});
    }
    if (running === 0) idle = setTimeout(() => void worker?.terminate(), IDLE_MS).unref();
  }

  async function read(body: Waiting): Promise<void> {
    const startedMs = performance.now();
    await body.start();
    queue.end(body, performance.now() - startedMs);
    running--;
    serve();
  }

  async function decodeApart(task: DecodeTask): Promise<TelemetryBatch> {
    const { workspaceId } = task.options;
    return new Promise((resolve, reject) => {
      function start(): Promise<void> {
        return ask(getWorker, task).then(resolve, reject);
      }
      if (!queue.add({ workspaceId, bytes: task.bytes.length, start })) return reject(createBusyError());
      serve();
    });
  }

  return {
    decode: async (task) =>
      task.bytes.length > INLINE_BYTES
        ? decodeApart(task)
        : takeTurn(task.options.workspaceId, decodeInSteps(task, task.options)),
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
  // The thread exits after an error.
  worker.on("error", ignore).unref();
  return worker;
}

/** Reads a body in the thread. The thread ends if it takes too long or too much memory. */
async function ask(getWorker: () => Worker, task: DecodeTask): Promise<TelemetryBatch> {
  const worker = getWorker();
  const deadline = setTimeout(() => void worker.terminate(), DECODE_MS);
  try {
    return await exchange(worker, task);
  } finally {
    clearTimeout(deadline);
  }
}

function exchange(worker: Worker, task: DecodeTask): Promise<TelemetryBatch> {
  const { port1: port, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    const lists: Pick<TelemetryBatch, DecodedList> = { spans: [], calls: [], points: [] };

    port.on("message", (answer: DecodeAnswer) => {
      if (answer.type === "part") {
        lists.spans.push(...answer.spans);
        lists.calls.push(...answer.calls);
        lists.points.push(...answer.points);
        port.postMessage("more");
        return;
      }
      port.close();
      if (answer.type === "error") return reject(new DomainError(answer.code, answer.message));
      const { type: _type, ...rest } = answer;
      resolve({ ...lists, ...rest });
    });
    // With the thread.
    port.on("close", () => reject(new DomainError("unavailable", "The body could not be read. Send less.")));
    worker.postMessage({ ...task, port: port2 }, [task.bytes.buffer, port2]);
  });
}

function ignore(): void {}
