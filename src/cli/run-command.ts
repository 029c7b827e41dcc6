import type { Logger } from "pino";
import { type OpenServices, openServices } from "../services.ts";
import type { Config } from "../config/config.ts";
import { createLogger } from "../config/logger.ts";
import { answerTerminal } from "./answer-terminal.ts";
import { toCommandProblem } from "./problem.ts";
import type { CommandAnswer, Terminal } from "./terminal.ts";

/** What a command works with. */
export type CommandContext = {
  services: OpenServices;
  config: Config;
  log: Logger;
  terminal: Terminal;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
};

/**
 * Makes an action of a command's work: it is loaded when the command is called, runs with its options, and its answer is
 * printed.
 */
export type CreateAction = <Options>(
  load: () => Promise<(operation: CommandContext, options: Options) => Promise<CommandAnswer>>,
) => (options: Options) => Promise<void>;

/**
 * Runs one command: opens the services beside a running server, or with a database of their own, prints
 * what the command answers, and closes everything. After a signal, work that does not listen to it ends
 * first, so that its secrets are shown.
 *
 * @returns the exit code: 0, 1 for a failure, 128 and the signal's number after a signal.
 */
export async function runCommand(
  terminal: Terminal,
  work: (operation: CommandContext) => Promise<CommandAnswer>,
): Promise<number> {
  return answerTerminal(terminal, {
    perform: (signal) => perform(terminal, work, signal),
    toProblem: toCommandProblem,
    problemExitCode: 1,
  });
}

async function perform(
  terminal: Terminal,
  work: (operation: CommandContext) => Promise<CommandAnswer>,
  signal: AbortSignal,
): Promise<CommandAnswer> {
  const config = await terminal.config();
  const log = quietLogger(terminal);
  // Let go on to its end where a signal comes meanwhile: half an opened database can't be closed.
  const services = await openServices(config, log);
  try {
    signal.throwIfAborted();
    return await work({ services, config, log, terminal, signal });
  } finally {
    await services.close();
  }
}

/** Warnings only, on standard error, and no stack traces. */
function quietLogger({ stderr }: Terminal): Logger {
  return createLogger("warn", { write: stderr }).child({}, { serializers: { err: String } });
}
