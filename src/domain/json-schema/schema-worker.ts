import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { type Validator, compileSchema } from "./compile-schema.ts";
import type { SchemaProblem } from "./schema-rules.ts";
import type { SchemaAnswer, SchemaTask, SchemaVerdict } from "./worker-messages.ts";

/** The most characters of schemas whose validators are cached. */
const KEPT_CHARACTERS = 1_048_576;
/** The share of the thread's memory above which nothing stays cached. A few patterns can take megabytes. */
const KEPT_SHARE = 0.5;

const compiled = new LRUCache<string, Validator | SchemaProblem>({
  max: 500,
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: (_validator, schema) => schema.length + 1,
});

// The thread is only started with this.
const answered = new Int32Array(workerData as SharedArrayBuffer);

parentPort?.on("message", (task: SchemaTask) => {
  const startedMs = performance.now();
  const verdict = checkTask(task);
  const answer: SchemaAnswer = { verdict, tookMs: performance.now() - startedMs };
  Atomics.store(answered, 0, task.number);
  send(answer);
});
send("ready");

function send(message: SchemaAnswer | "ready"): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's postMessage has none.
  parentPort?.postMessage(message);
}

function checkTask({ schema, value }: SchemaTask): SchemaVerdict {
  const validator = compiled.get(schema) ?? compileAndKeep(schema);
  if (typeof validator !== "function") return { subject: "schema", ...validator };
  if (value === null) return null;
  try {
    const problem = validator(JSON.parse(value));
    return problem && { subject: "value", ...problem };
  } catch {
    // A recursive schema may not terminate for some values.
    return { subject: "schema", path: [], detail: "is nested too deeply" };
  }
}

/** Makes room first: out of memory, the thread ends, and this schema would be blamed for the cached ones. */
function compileAndKeep(schema: string): Validator | SchemaProblem {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  if (used > KEPT_SHARE * limit) compiled.clear();
  const validator = compileSchema(JSON.parse(schema));
  compiled.set(schema, validator);
  return validator;
}
