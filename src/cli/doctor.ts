import type { Command } from "commander";
import type { CreateDatabaseAction } from "./run-on-database.ts";

export function addDoctorCommand(program: Command, run: CreateDatabaseAction): void {
  program
    .command("doctor")
    .description(
      "check the database, clocks, disk, emails and the public address, and say what to do; exits with 1 if one fails",
    )
    .action(run(async () => (await import("./actions/doctor.ts")).runDoctor));
}
