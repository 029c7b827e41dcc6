import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addPolicyCommands(program: Command, run: CreateAction): void {
  const policy = program.command("policy").description("keep a workspace's policies in a file");
  policy
    .command("export")
    .description("print all policies as YAML")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/policy.ts")).runPolicyExport));
  policy
    .command("diff")
    .description(
      "print what a file would change; exits with 0 for nothing, 1 for something, 2 for an invalid file",
    )
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("-f, --file <file>", "the file, YAML or JSON; - is standard input")
    .option("--prune", "also delete policies that the file does not have")
    .option(
      "--simulate <days>",
      "first print what the file would change of the decisions of so many days, as 7d",
    )
    .action(run(async () => (await import("./actions/policy.ts")).runPolicyDiff));
  policy
    .command("apply")
    .description("make the policies those of a file: all of them, or none; exits with 2 for an invalid file")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("-f, --file <file>", "the file, YAML or JSON; - is standard input")
    .option("--prune", "also delete policies that the file does not have")
    .option(
      "--simulate <days>",
      "first print what the file would change of the decisions of so many days, as 7d",
    )
    .option(
      "--expect <generation>",
      "refuse unless no policy changed since diff --json printed this generation",
    )
    .action(run(async () => (await import("./actions/policy.ts")).runPolicyApply));
}
