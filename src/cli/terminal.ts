import type { Readable } from "node:stream";
import type { Config } from "../config/config.ts";
import type { RemoteConfig, WorkloadConfig, WorkloadOptions } from "../config/remote.ts";

/** The process's own streams and environment, or a test's. */
export type Terminal = {
  /** Whether to print only one JSON object to standard output. */
  json: boolean;
  stdin: Readable;
  stdout: (text: string) => void;
  /** Writes to standard output, waiting for the reader. */
  write: (text: string | Uint8Array) => Promise<void>;
  stderr: (text: string) => void;
  /** Rejects if the environment is invalid. */
  config: () => Promise<Config>;
  /** The same for commands that call a server. */
  remote: () => Promise<RemoteConfig>;
  /** The same for a workload that has no token of the server yet. */
  workload: (options: WorkloadOptions) => Promise<WorkloadConfig>;
};

/** The result of a command: an object for programs, and lines for people. */
export type CommandAnswer = {
  /** Null if the command has already written its output. */
  json: Record<string, unknown> | null;
  lines: string[];
  /** Whether it contains secrets that can't be read again. */
  shownOnce?: boolean;
  /** Default: 0. 1 if a check has failed, 2 if it can't be made. */
  exitCode?: 1 | 2;
};

/** An error, as programs read it. */
export type CommandProblem = { code: string; message: string; field?: string };

/** Whether the arguments ask for JSON, even if they are otherwise invalid. */
export function isJsonAsked(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes("--json");
}

export function printAnswer(terminal: Terminal, { json, lines, shownOnce }: CommandAnswer): void {
  if (json === null) return;
  const note = shownOnce === true ? ["", "Save the secrets now: they are not shown again."] : [];
  terminal.stdout(terminal.json ? `${JSON.stringify(json)}\n` : `${[...lines, ...note].join("\n")}\n`);
}

/** Prints an error: one line on standard error, or JSON on standard output. */
export function printProblem(terminal: Terminal, problem: CommandProblem): void {
  if (terminal.json) terminal.stdout(`${JSON.stringify({ error: problem })}\n`);
  else terminal.stderr(`agent-ops: ${problem.message}\n`);
}
