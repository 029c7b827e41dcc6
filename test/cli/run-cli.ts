import { type ChildProcess, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../src/cli/run-program.ts";
import { isJsonAsked } from "../../src/cli/terminal.ts";
import { readConfig } from "../../src/config/config.ts";
import { readRemoteConfig, readWorkloadConfig } from "../../src/config/remote.ts";

/** The result of a run of the command line. */
export type CliRun = { exitCode: number | null; stdout: string; stderr: string };

const program = fileURLToPath(new URL("../../src/cli/agent-ops.ts", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs the command line in this process. */
export async function runCli(
  args: readonly string[],
  environment: Record<string, string>,
  input = "",
): Promise<CliRun> {
  const output = { stdout: "", stderr: "" };
  const exitCode = await runProgram(args, {
    json: isJsonAsked(args),
    stdin: Readable.from([input]),
    stdout: (text) => void (output.stdout += text),
    write: async (text) =>
      void (output.stdout += typeof text === "string" ? text : Buffer.from(text).toString("latin1")),
    stderr: (text) => void (output.stderr += text),
    config: async () => readConfig(environment),
    remote: async () => readRemoteConfig(environment),
    workload: async (options) => readWorkloadConfig(environment, options),
  });
  return { exitCode, ...output };
}

/** Runs the command line as a separate process and waits for its end. */
export async function spawnCli(
  args: readonly string[],
  environment: Record<string, string>,
  input = "",
): Promise<CliRun> {
  const child = startCli(args, environment);
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin?.end(input);
  return { exitCode: await waitForExit(child), ...output };
}

/** Starts the command line as a separate process. */
export function startCli(args: readonly string[], environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", program, ...args], { cwd: root, env: environment });
}

/** Waits for a process to end. @returns its exit code, or null if a signal ended it. */
export async function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("close", resolve));
}
