import {
  type CommandAnswer,
  type CommandProblem,
  type Terminal,
  printAnswer,
  printProblem,
} from "./terminal.ts";

/** What a command does, and what is said of it where it fails. */
export type TerminalWork = {
  /** @param signal aborted by SIGINT and SIGTERM. */
  perform: (signal: AbortSignal) => Promise<CommandAnswer>;
  toProblem: (error: unknown) => CommandProblem;
  /** The exit code of a problem. */
  problemExitCode: number;
};

const FAILED_EXIT_CODE = 1;
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs a command's work and prints what it answers, or what went wrong.
 *
 * @returns the exit code: 0, 1 where the answer says that it failed, the work's own for a problem, 128 and the
 *   signal's number after a signal.
 */
export async function answerTerminal(terminal: Terminal, work: TerminalWork): Promise<number> {
  const stop = new AbortController();
  let signalCode: number | null = null;
  const forget = onSignals((exitCode) => {
    signalCode = exitCode;
    stop.abort();
  });
  try {
    const answer = await work.perform(stop.signal);
    printAnswer(terminal, answer);
    return signalCode ?? (answer.failed === true ? FAILED_EXIT_CODE : 0);
  } catch (error) {
    const interrupted = { code: "interrupted", message: "interrupted" };
    printProblem(terminal, stop.signal.aborted ? interrupted : work.toProblem(error));
    return signalCode ?? work.problemExitCode;
  } finally {
    forget();
  }
}

/** Takes the first signal; a second ends the process at once. @returns what forgets about signals. */
function onSignals(take: (exitCode: number) => void): () => void {
  const listeners = Object.entries(SIGNALS).map(([signal, exitCode]) => {
    function listener(): void {
      take(exitCode);
    }
    process.once(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}
