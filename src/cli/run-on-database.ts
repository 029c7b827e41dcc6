import { existsSync } from "node:fs";
import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { startEmbedded } from "../db/embedded.ts";
import { answerTerminal } from "./answer-terminal.ts";
import { CommandError } from "./command-error.ts";
import { toCommandProblem } from "./problem.ts";
import { quietLogger } from "./quiet-logger.ts";
import type { CommandAnswer, Terminal } from "./terminal.ts";

/** The context of a command that works on the database as it is: nothing is migrated or started for it. */
export type DatabaseCommand = {
  config: Config;
  log: Logger;
  terminal: Terminal;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
};

/** Makes such a command's action: imports its work on demand, runs it and prints the answer. */
export type CreateDatabaseAction = <Options>(
  load: () => Promise<(command: DatabaseCommand, options: Options) => Promise<CommandAnswer>>,
) => (options: Options) => Promise<void>;

/**
 * Runs such a command.
 *
 * @returns the exit code: 0; the answer's own; 1 for an error; 128 plus the signal's number after a signal.
 */
export async function runOnDatabase(
  terminal: Terminal,
  work: (command: DatabaseCommand) => Promise<CommandAnswer>,
): Promise<number> {
  return answerTerminal(terminal, {
    perform: async (signal) =>
      work({ config: await terminal.config(), log: quietLogger(terminal), terminal, signal }),
    toProblem: toCommandProblem,
    problemExitCode: 1,
  });
}

/** Lends the URL of the database. Starts the embedded one if necessary, and stops it if nobody else uses it. */
export async function withDatabase<Result>(
  { config, log }: Pick<DatabaseCommand, "config" | "log">,
  { creates }: { creates: boolean },
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const external = config.directDatabaseUrl ?? config.databaseUrl;
  if (external !== null) return work(external);
  const directory = path.join(config.dataDir, "postgres");
  if (!creates && !existsSync(path.join(directory, "cluster")))
    throw new CommandError({
      code: "no_database",
      message: `There is no database in ${directory}. Set DATA_DIR or DATABASE_URL.`,
    });
  const embedded = await startEmbedded({ directory, log });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}
