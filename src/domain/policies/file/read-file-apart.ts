import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { ParsedPolicyFile } from "./policy-file.ts";

/** An honest file of the largest size takes a second. */
const DEADLINE_MS = 10_000;
const RESOURCES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
const EXTENSION = extname(new URL(import.meta.url).pathname);
const ENTRY = new URL(`policy-file-worker${EXTENSION}`, import.meta.url);
/** Loads the source with tsx, if this module runs from source: threads don't inherit the loader. */
const FROM_SOURCE = `import("tsx/esm/api").then(({ tsImport }) => tsImport("${ENTRY.href}", "${ENTRY.href}"))`;

const TOO_LARGE: ParsedPolicyFile = {
  problems: [{ line: 1, column: 1, message: "is too large to be read at once: apply it in parts" }],
};

/** Parses a file of rules in a thread of its own, since a server can't wait for it. */
export async function readFileApart(text: string): Promise<ParsedPolicyFile> {
  const isSource = EXTENSION === ".ts";
  const worker = new Worker(isSource ? FROM_SOURCE : ENTRY, {
    eval: isSource,
    name: "policy-file",
    workerData: text,
    // It needs no environment variables.
    env: {},
    execArgv: [],
    resourceLimits: RESOURCES,
  });
  const deadline = setTimeout(() => void worker.terminate(), DEADLINE_MS);
  try {
    return await new Promise<ParsedPolicyFile>((resolve, reject) => {
      // The worker sends nothing else.
      worker.once("message", resolve);
      worker.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? resolve(TOO_LARGE) : reject(error),
      );
      // Terminated. After an answer, it has no effect.
      worker.once("exit", () => resolve(TOO_LARGE));
    });
  } finally {
    clearTimeout(deadline);
    await worker.terminate();
  }
}
