import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { SchemaAnswer, SchemaCheck, SchemaTask } from "./worker-messages.ts";

/** The most time for one check. After it the thread is terminated. */
export const CHECK_MS = 2000;

/** A thread that runs one check at a time. */
export type SchemaThread = {
  /** Starts the thread if it is not running. Calls `onReady` when it can run checks. */
  start: () => void;
  isReady: () => boolean;
  /**
   * Runs a check on a thread that is ready. If it takes too long or too much memory, the thread is
   * terminated and replaced.
   *
   * @returns null for a terminated check.
   */
  run: (check: SchemaCheck) => Promise<SchemaAnswer | null>;
  end: () => Promise<void>;
};

/** The callbacks of a thread. */
export type ThreadListener = { onReady: () => void; onError: (error: unknown) => void };

const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
const EXTENSION = extname(new URL(import.meta.url).pathname);
const ENTRY = new URL(`schema-worker${EXTENSION}`, import.meta.url);
/** Loads the source with tsx, if this module runs from source: threads don't inherit the loader. */
const FROM_SOURCE = `import("tsx/esm/api").then(({ tsImport }) => tsImport("${ENTRY.href}", "${ENTRY.href}"))`;

type Started = { worker: Worker; answered: Int32Array };

/** Creates a thread without starting it. */
export function openSchemaThread({ onReady, onError }: ThreadListener): SchemaThread {
  let started: Started | null = null;
  let isReady = false;
  let tasks = 0;

  function start(): void {
    if (started !== null) return;
    const own = startWorker();
    started = own;
    own.worker.on("error", onError).once("exit", () => {
      if (started === own) [started, isReady] = [null, false];
    });
    readNextMessage(own.worker).then(() => {
      isReady = true;
      onReady();
    }, ignore);
  }

  async function run(check: SchemaCheck): Promise<SchemaAnswer | null> {
    if (started === null) return null;
    const answer = await ask(started, { ...check, number: ++tasks });
    if (answer === null) start();
    return answer;
  }

  async function end(): Promise<void> {
    await started?.worker.terminate();
  }

  return { start, isReady: () => isReady, run, end };
}

function startWorker(): Started {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const isSource = EXTENSION === ".ts";
  const worker = new Worker(isSource ? FROM_SOURCE : ENTRY, {
    eval: isSource,
    name: "json-schema",
    workerData: shared,
    // It needs no environment variables.
    env: {},
    execArgv: [],
    resourceLimits: RESOURCES,
  });
  worker.unref();
  return { worker, answered: new Int32Array(shared) };
}

/** Null if the thread was terminated or ended by itself, usually out of memory. */
async function ask({ worker, answered }: Started, task: SchemaTask): Promise<SchemaAnswer | null> {
  const answer = readNextMessage(worker);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's postMessage has none.
  worker.postMessage(task);
  const deadline = setTimeout(() => {
    // If this thread was blocked meanwhile, the answer is already on its way.
    if (Atomics.load(answered, 0) !== task.number) worker.terminate().catch(ignore);
  }, CHECK_MS);
  try {
    // A worker sends this for each task.
    return (await answer) as SchemaAnswer;
  } catch {
    return null;
  } finally {
    clearTimeout(deadline);
  }
}

/** Returns a worker's next message. Throws if the worker ends instead. */
async function readNextMessage(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    function onMessage(message: unknown): void {
      worker.off("exit", onExit);
      resolve(message);
    }
    function onExit(code: number): void {
      worker.off("message", onMessage);
      reject(new Error(`the thread ended with ${code}`));
    }
    worker.once("message", onMessage).once("exit", onExit);
  });
}

function ignore(): void {}
