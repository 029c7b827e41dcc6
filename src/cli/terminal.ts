import type { Readable } from "node:stream";
import type { Config } from "../config/config.ts";
import type { RemoteConfig } from "../config/remote.ts";

/** Where a command is called from: the process's own streams and environment, or a test's. */
export type Terminal = {
  /** Whether the caller wants one JSON object on standard output, and nothing else. */
  json: boolean;
  stdin: Readable;
  stdout: (text: string) => void;
  /** Writes to standard output no faster than it is read. */
  write: (text: string) => Promise<void>;
  stderr: (text: string) => void;
  /** Rejects where the environment can't be used. */
  config: () => Promise<Config>;
  /** The same for a service that is talked to. */
  remote: () => Promise<RemoteConfig>;
};

/** What a command answers: an object for programs, and lines for people. */
export type CommandAnswer = {
  /** Null where the command has written its answer itself. */
  json: Record<string, unknown> | null;
  lines: string[];
  /** Whether it holds secrets that can't be had again. */
  shownOnce?: boolean;
  /** Whether what was looked for is not as it should be: the exit code is 1. */
  failed?: boolean;
};

/** What went wrong, as programs read it. */
export type CommandProblem = { code: string; message: string; field?: string };

/** Whether arguments ask for JSON. They may be wrong otherwise. */
export function isJsonAsked(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes("--json");
}

/** Prints what a command answers on standard output. */
export function printAnswer(terminal: Terminal, { json, lines, shownOnce }: CommandAnswer): void {
  if (json === null) return;
  const note = shownOnce === true ? ["", "Keep what is secret now: it is shown this once."] : [];
  terminal.stdout(terminal.json ? `${JSON.stringify(json)}\n` : `${[...lines, ...note].join("\n")}\n`);
}

/** Prints what went wrong: one line on standard error, or JSON on standard output. */
export function printProblem(terminal: Terminal, problem: CommandProblem): void {
  if (terminal.json) terminal.stdout(`${JSON.stringify({ error: problem })}\n`);
  else terminal.stderr(`agent-ops: ${problem.message}\n`);
}
