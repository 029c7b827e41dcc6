import { spawn } from "node:child_process";
import path from "node:path";

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Runs a program. Shows its output, on stderr, only if it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<void>}
 */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const output = /** @type {Buffer[]} */ ([]);
    /** @param {NodeJS.Signals} signal */
    function stop(signal) {
      child.kill(signal);
    }
    for (const signal of SIGNALS) process.on(signal, stop);
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const name of SIGNALS) process.off(name, stop);
      if (code === 0) {
        resolve();
        return;
      }
      process.stderr.write(Buffer.concat(output));
      reject(new Error(`${[path.basename(command), ...args].join(" ")} failed (${signal ?? code}).`));
    });
  });
}
