import { ApiError, describeError } from "../client/api-error.ts";
import { createClient } from "../client/client.ts";
import type { Send } from "../client/request.ts";
import { answerTerminal } from "./answer-terminal.ts";
import { toCommandProblem } from "./problem.ts";
import { CommandError } from "./command-error.ts";
import type { CommandAnswer, CommandProblem, Terminal } from "./terminal.ts";

/** The context of a command that calls a server over HTTP and opens no database. */
export type Remote = {
  /** Returns a Send that retries for this many seconds if the server can't be reached. */
  sendFor: (seconds: number) => Send;
  terminal: Terminal;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
};

/**
 * Runs one command that calls a server, and prints the answer.
 *
 * @returns the exit code: 0; the answer's own; 2 for an error; 128 plus the signal's number
 *   after a signal.
 */
export async function runRemote(
  terminal: Terminal,
  work: (remote: Remote) => Promise<CommandAnswer>,
): Promise<number> {
  return answerTerminal(terminal, {
    perform: async (signal) => work({ sendFor: await createSender(terminal, signal), terminal, signal }),
    toProblem: toRemoteProblem,
    problemExitCode: 2,
  });
}

async function createSender(terminal: Terminal, stop: AbortSignal): Promise<Remote["sendFor"]> {
  const { url, token } = await terminal.remote();
  let cause = "no answer in time";
  async function watched(...request: Parameters<typeof fetch>): Promise<Response> {
    try {
      const response = await fetch(...request);
      if (!response.ok) cause = `it answered with status ${response.status}`;
      return response;
    } catch (error) {
      cause = describeError(error);
      throw error;
    }
  }
  const { send } = createClient({ url, token, fetch: watched, log: () => {} });
  return (seconds) => async (route, sent) => {
    const late = AbortSignal.timeout(seconds * 1000);
    try {
      return await send(route, { ...sent, signal: AbortSignal.any([late, sent.signal ?? stop]) });
    } catch (error) {
      if (!late.aborted || error instanceof ApiError) throw error;
      throw new CommandError({
        code: "unreachable",
        message: `${url} can't be reached: ${cause}. Check AGENT_OPS_URL and that the server is running.`,
      });
    }
  };
}

/** Converts an error of a command that calls a server. */
export function toRemoteProblem(error: unknown): CommandProblem {
  if (error instanceof CommandError) return error.problem;
  if (!(error instanceof ApiError)) return toCommandProblem(error);
  const { code, message, problem } = error;
  return { code, message, ...(problem.field !== undefined && { field: problem.field }) };
}
