import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addScimTokenCommands(program: Command, run: CreateAction): void {
  program
    .command("scim-token")
    .description("rotate the identity provider's token")
    .command("rotate")
    .description("create a SCIM token that replaces the previous one, which stays valid for the overlap")
    .requiredOption("--workspace <id>", "the workspace's id")
    .option("--overlap <seconds>", "seconds; 0 revokes all other tokens immediately", Number, 3600)
    .action(run(async () => (await import("./actions/scim-token.ts")).runScimTokenRotate));
}
