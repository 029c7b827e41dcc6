import type { Command } from "commander";
import { ROLES } from "../domain/kernel/scopes.ts";
import type { CreateAction } from "./run-command.ts";

export function addUserCommands(program: Command, run: CreateAction): void {
  const user = program.command("user").description("create, list and suspend people who log in");
  user
    .command("create")
    .description("create a person who logs in with a password")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--email <address>", "the address to log in with")
    .requiredOption(
      "--password <password>",
      "at least PASSWORD_MIN characters, 12 by default; - reads one line from standard input",
    )
    .requiredOption("--role <role>", ROLES.join(", "))
    .option("--name <name>", "the person's display name")
    .option("--confirmed", "mark the address as confirmed")
    .action(run(async () => (await import("./actions/user.ts")).runUserCreate));
  user
    .command("list")
    .description("list the members of a workspace, newest first")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/user.ts")).runUserList));
  user
    .command("suspend")
    .description("revoke a person's sessions and links, and prevent new log-ins")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--email <address>", "the address that the person logs in with")
    .action(run(async () => (await import("./actions/user.ts")).runUserSuspend));
  user
    .command("remove-factors")
    .description("remove a person's second factors, such as an only owner's who has lost them")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--email <address>", "the address that the person logs in with")
    .action(run(async () => (await import("./actions/user.ts")).runUserRemoveFactors));
}
