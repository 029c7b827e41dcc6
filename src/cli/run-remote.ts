import { ApiError, describeError } from "../client/api-error.ts";
import { createClient } from "../client/client.ts";
import type { Send } from "../client/request.ts";
import { answerTerminal } from "./answer-terminal.ts";
import { toCommandProblem } from "./problem.ts";
import { RemoteProblem } from "./remote-problem.ts";
import type { CommandAnswer, CommandProblem, Terminal } from "./terminal.ts";

/** What a command works with that talks to a service over HTTP, and opens no database. */
export type Remote = {
  /** Sends requests, again and again for so many seconds where the service can't be reached. */
  sendFor: (seconds: number) => Send;
  terminal: Terminal;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
};

/**
 * Runs one command that talks to a service, and prints what it answers.
 *
 * @returns the exit code: 0, 1 where what was looked for is not as it should be, 2 where that can't be told,
 *   128 and the signal's number after a signal.
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
      if (!response.ok) cause = `it answers ${response.status}`;
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
      throw new RemoteProblem({ code: "unreachable", message: `${url} can't be reached: ${cause}` });
    }
  };
}

function toRemoteProblem(error: unknown): CommandProblem {
  if (error instanceof RemoteProblem) return error.problem;
  if (!(error instanceof ApiError)) return toCommandProblem(error);
  const { code, message, problem } = error;
  return { code, message, ...(problem.field !== undefined && { field: problem.field }) };
}
