import { CommandError } from "./command-error.ts";
import { runProgram } from "./run-program.ts";
import { isJsonAsked } from "./terminal.ts";

/** A reader such as head that has read enough. */
const CLOSED = { code: "output_closed", message: "the output was closed before everything was written" };

/** Runs the command line of this process, and ends it. */
export async function runProcess(): Promise<void> {
  const args = process.argv.slice(2);
  // Without a listener, a closed output pipe would end the process with a stack trace.
  process.stdout.on("error", () => {});
  process.exitCode = await runProgram(args, {
    json: isJsonAsked(args),
    stdin: process.stdin,
    stdout: (text) => void process.stdout.write(text),
    write: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => (error ? reject(new CommandError(CLOSED)) : resolve()));
      }),
    stderr: (text) => void process.stderr.write(text),
    // Imported on demand, so that --help and --version are fast.
    config: async () => (await import("../config/config.ts")).readProcessConfig(),
    remote: async () => (await import("../config/remote.ts")).readProcessRemoteConfig(),
    workload: async (options) => (await import("../config/remote.ts")).readProcessWorkloadConfig(options),
  });
  // Connections that a library left open must not keep the process running.
  process.stdout.write("", () => process.exit());
}
