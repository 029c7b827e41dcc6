import { parentPort, workerData } from "node:worker_threads";
import { lowerThreadPriority } from "../../kernel/lower-thread-priority.ts";
import { parsePolicyFile } from "./policy-file.ts";

lowerThreadPriority();
// The thread is only started with a text.
const parsed = parsePolicyFile(workerData as string);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's postMessage has none.
parentPort?.postMessage(parsed);
