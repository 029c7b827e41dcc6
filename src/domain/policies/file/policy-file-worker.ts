import { parentPort, workerData } from "node:worker_threads";
import { parsePolicyFile } from "./policy-file.ts";

// The thread is only started with a text.
const parsed = parsePolicyFile(workerData as string);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's postMessage has none.
parentPort?.postMessage(parsed);
