import { extname } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { createFairPool } from "../../src/domain/kernel/fair-pool.ts";
import type { MostBytes } from "../../src/domain/kernel/fair-queue.ts";
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

/**
 * Creates a decoder. Its thread starts with the first large body, and ends when there are no more. It reads some bodies
 * at once, next that of the workspace that has used it least.
 *
 * @param mostBytes of large bodies that wait.
 */
export function createDecoder(mostBytes: MostBytes): Decoder {
  const { run: takeTurn } = createTurns();
  const pool = createFairPool({ atOnce: AT_ONCE, mostBytes });
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let bodies = 0;

  function getWorker(): Worker {
    if (worker !== null) return worker;
    const started = startWorker();
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    worker = started;
    return started;
  }

  async function decodeApart(task: DecodeTask): Promise<TelemetryBatch> {
    clearTimeout(idle);
    bodies++;
    try {
      const size = { workspaceId: task.options.workspaceId, bytes: task.bytes.length };
      return await pool.run(size, () => ask(getWorker, task));
    } finally {
      bodies--;
      if (bodies === 0) idle = setTimeout(() => void worker?.terminate(), IDLE_MS).unref();
    }
  }

  return {
    decode: async (task) =>
      task.bytes.length > INLINE_BYTES
        ? decodeApart(task)
        : takeTurn(task.options.workspaceId, decodeInSteps(task, task.options)),
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
