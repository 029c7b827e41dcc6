import type { Command } from "commander";
import type { CreateDatabaseAction } from "./run-on-database.ts";

export function addBackupCommands(program: Command, run: CreateDatabaseAction): void {
  program
    .command("backup")
    .description("write the whole database to a file, as it is at this moment, while servers run")
    .requiredOption("--file <file>", "the file, which must not exist; - for standard output")
    .action(run(async () => (await import("./actions/backup.ts")).runBackup));
  program
    .command("restore")
    .description("check a backup, and restore it into an empty database that no server uses")
    .requiredOption("--file <file>", "the file of a backup")
    .option("--dry-run", "only check the file")
    .option("--replace", "delete what the database has")
    .action(run(async () => (await import("./actions/backup.ts")).runRestore));
}
