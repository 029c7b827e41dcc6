import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addSignInCommands(program: Command, run: CreateAction): void {
  const signIn = program.command("sign-in").description("sign-in by a workspace's own identity provider");
  signIn
    .command("verify-domain")
    .description("let a workspace's provider sign in the addresses of a domain, without a DNS record")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--domain <domain>", "the part of the addresses after the @")
    .action(run(async () => (await import("./actions/sign-in.ts")).runVerifyDomain));
  signIn
    .command("delete-domain")
    .description("take a domain from a workspace, so that another one can verify it")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--domain <domain>", "the part of the addresses after the @")
    .action(run(async () => (await import("./actions/sign-in.ts")).runDeleteDomain));
  signIn
    .command("stop-enforcing")
    .description("let a workspace's members log in with their passwords again")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/sign-in.ts")).runStopEnforcing));
}
