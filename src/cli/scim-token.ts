import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

/** Adds `scim-token rotate`. */
export function addScimTokenCommands(program: Command, run: CreateAction): void {
  program
    .command("scim-token")
    .description("rotate the token of the identity provider")
    .command("rotate")
    .description("make the next SCIM token; the one before works on for the overlap")
    .requiredOption("--workspace <id>", "the workspace's id")
    .option("--overlap <seconds>", "0 ends every other token now", Number, 3600)
    .action(run(async () => (await import("./actions/scim-token.ts")).runScimTokenRotate));
}
