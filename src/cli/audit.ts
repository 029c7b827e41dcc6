import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addAuditCommands(program: Command, run: CreateAction): void {
  const audit = program
    .command("audit")
    .description("export the audit log, and verify its hash chain and checkpoints");
  audit
    .command("verify")
    .description(
      "verify all rows of a workspace's audit log and its signed checkpoints; exits with 1 if one is invalid",
    )
    .requiredOption("--workspace <id>", "the workspace's id")
    .option("--checkpoints <file>", "an earlier export: the log must still contain what its checkpoints sign")
    .option(
      "--key <key>",
      "an additional public key to trust, such as a previous AUDIT_KEY's; repeatable",
      (key: string, keys: string[]) => [...keys, key],
      [],
    )
    .action(run(async () => (await import("./actions/audit.ts")).runAuditVerify));
  audit
    .command("export")
    .description(
      "write a workspace's audit log to standard output, as one row or checkpoint per line in JSON, " +
        "signed up to now",
    )
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/audit.ts")).runAuditExport));
}
