import type { Logger } from "pino";
import { type OpenServices, openServices } from "../services.ts";
import type { Config } from "../config/config.ts";
import { answerTerminal } from "./answer-terminal.ts";
import { toCommandProblem } from "./problem.ts";
import { quietLogger } from "./quiet-logger.ts";
import type { CommandAnswer, Terminal } from "./terminal.ts";

export type CommandContext = {
  services: OpenServices;
  config: Config;
  log: Logger;
  terminal: Terminal;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
};

/** Makes a command's action: imports its work on demand, runs it and prints the answer. */
export type CreateAction = <Options>(
  load: () => Promise<(operation: CommandContext, options: Options) => Promise<CommandAnswer>>,
) => (options: Options) => Promise<void>;

/**
 * Runs one command: opens the services, next to a running server or with the database alone, prints the
 * answer and closes everything. After a signal, work that ignores it is completed first, so that its
 * secrets are printed.
 *
 * @returns the exit code: 0; 1 for an error; 128 plus the signal's number after a signal.
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
  // Not interrupted by a signal: a partly opened database can't be closed.
  const services = await openServices(config, log);
  try {
    signal.throwIfAborted();
    return await work({ services, config, log, terminal, signal });
  } finally {
    await services.close();
  }
}
