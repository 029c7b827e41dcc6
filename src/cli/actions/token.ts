import { exchangeWorkloadToken } from "../../client/workload-token.ts";
import { answerTerminal } from "../answer-terminal.ts";
import { toRemoteProblem } from "../run-remote.ts";
import type { Terminal } from "../terminal.ts";

export type ExchangeOptions = { tokenFile?: string; trust?: string; scopes?: string[] };

/**
 * Exchanges a workload's token and prints the access token alone, for scripts.
 *
 * @returns the exit code: 0; 2 for an error; 128 plus the signal's number after a signal.
 */
export async function runTokenExchange(terminal: Terminal, options: ExchangeOptions): Promise<number> {
  return answerTerminal(terminal, {
    perform: async (signal) => {
      const { url, ...workload } = await terminal.workload(options);
      const asked = { ...workload, ...(options.scopes && { scopes: options.scopes }) };
      const { token, lifeMs, scopes } = await exchangeWorkloadToken({ url, fetch }, asked, signal);
      return { json: { access_token: token, expires_in: lifeMs / 1000, scopes }, lines: [token] };
    },
    toProblem: toRemoteProblem,
    problemExitCode: 2,
  });
}
