import {
  type CommandAnswer,
  type CommandProblem,
  type Terminal,
  printAnswer,
  printProblem,
} from "./terminal.ts";

/** A command's work, and its exit code for errors. */
export type TerminalWork = {
  /** @param signal aborted by SIGINT and SIGTERM. */
  perform: (signal: AbortSignal) => Promise<CommandAnswer>;
  toProblem: (error: unknown) => CommandProblem;
  /** The exit code for an error. */
  problemExitCode: number;
};

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs a command's work and prints its answer or error.
 *
 * @returns the exit code: 0; the answer's own; `problemExitCode` for an error; 128 plus the
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
    return signalCode ?? answer.exitCode ?? 0;
  } catch (error) {
    const interrupted = { code: "interrupted", message: "interrupted" };
    printProblem(terminal, stop.signal.aborted ? interrupted : work.toProblem(error));
    return signalCode ?? work.problemExitCode;
  } finally {
    forget();
  }
}

/**
 * Handles the first signal. A second one ends the process immediately. @returns a function that removes the
 * handlers.
 */
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
