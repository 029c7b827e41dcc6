import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

/** Adds `audit verify` and `audit export`. */
export function addAuditCommands(program: Command, run: CreateAction): void {
  const audit = program
    .command("audit")
    .description("export the audit log, and hold it against its hash chain and checkpoints");
  audit
    .command("verify")
    .description(
      "check every row of a workspace's audit log and its signed checkpoints; exits with 1 where one does not hold",
    )
    .requiredOption("--workspace <id>", "the workspace's id")
    .option("--checkpoints <file>", "an earlier export: what it signs must be in the log unchanged")
    .option(
      "--key <key>",
      "one more public key whose checkpoints count, such as one that AUDIT_KEY was before; may be given again",
      (key: string, keys: string[]) => [...keys, key],
      [],
    )
    .action(run(async () => (await import("./actions/audit.ts")).runAuditVerify));
  audit
    .command("export")
    .description(
      "write a workspace's audit log to standard output: a row or a checkpoint a line as JSON, signed up to now",
    )
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/audit.ts")).runAuditExport));
}
