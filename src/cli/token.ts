import type { Command } from "commander";
import type { ExchangeOptions } from "./actions/token.ts";

/** Runs the exchange, and prints its answer. */
export type RunExchange = (options: ExchangeOptions) => Promise<void>;

export function addTokenCommands(program: Command, run: RunExchange): void {
  program
    .command("token")
    .description("access tokens of workloads, such as CI jobs and pods")
    .command("exchange")
    .description(
      "exchange the token of a workload's issuer for an access token at a running server, and print it; " +
        "AGENT_OPS_URL is the server",
    )
    .option("--token-file <file>", "the file with the issuer's token; default: AGENT_OPS_TOKEN_FILE")
    .option("--trust <id>", "the id of the trust; default: AGENT_OPS_TRUST_ID")
    .option("--scopes <scopes...>", "some scopes of the trust; default: all")
    .action(run);
}
