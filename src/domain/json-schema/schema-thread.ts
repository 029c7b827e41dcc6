import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { SchemaAnswer, SchemaCheck, SchemaTask } from "./worker-messages.ts";

/** How long one check may take; after it the thread is ended. */
export const CHECK_MS = 2000;

/** A thread that checks one after the other. */
export type SchemaThread = {
  /** Starts it, where it is not there: at first, and after an error. Tells `onReady` once it can run checks. */
  start: () => void;
  isReady: () => boolean;
  /**
   * Runs a check on a thread that is ready. One that takes too long, or too much memory, ends it; another
   * is started in its place.
   *
   * @returns null for such a check.
   */
  run: (check: SchemaCheck) => Promise<SchemaAnswer | null>;
  end: () => Promise<void>;
};

/** What a thread tells of itself. */
export type ThreadListener = { onReady: () => void; onError: (error: unknown) => void };

const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
const EXTENSION = extname(new URL(import.meta.url).pathname);
const ENTRY = new URL(`schema-worker${EXTENSION}`, import.meta.url);
/** What loads the source, where this was loaded from its source: a thread does not take that over. */
const FROM_SOURCE = `import("tsx/esm/api").then(({ tsImport }) => tsImport("${ENTRY.href}", "${ENTRY.href}"))`;

type Started = { worker: Worker; answered: Int32Array };

/** Opens a thread, which is not started yet. */
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
    // It needs nothing of what the process was told.
    env: {},
    execArgv: [],
    resourceLimits: RESOURCES,
  });
  worker.unref();
  return { worker, answered: new Int32Array(shared) };
}

/** Null where the thread had to be ended, or has ended of itself: with its memory used up, as a rule. */
async function ask({ worker, answered }: Started, task: SchemaTask): Promise<SchemaAnswer | null> {
  const answer = readNextMessage(worker);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- That of a thread takes none.
  worker.postMessage(task);
  const deadline = setTimeout(() => {
    // Where this thread was the slow one, the answer is on its way.
    if (Atomics.load(answered, 0) !== task.number) worker.terminate().catch(ignore);
  }, CHECK_MS);
  try {
    // A worker answers each task with this.
    return (await answer) as SchemaAnswer;
  } catch {
    return null;
  } finally {
    clearTimeout(deadline);
  }
}

/** What a worker says next; an error where it ends instead. */
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
