import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addSecretCommands(program: Command, run: CreateAction): void {
  program
    .command("secrets")
    .description("the secrets that are sealed in the database")
    .command("rotate")
    .description(
      "seal all secrets with the first key of SECRETS_KEY; the others must be those that sealed them",
    )
    .action(run(async () => (await import("./actions/secrets.ts")).runSecretsRotate));
}
