import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addTraceCommands(program: Command, run: CreateAction): void {
  program
    .command("traces")
    .description("what agents did, as OpenTelemetry says it")
    .command("import")
    .description(
      "store the traces of a file, such as of an export; what they used is charged to its day, and to no budget",
    )
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--agent <handle>", "the agent whose they are, where they name no other of the workspace")
    .requiredOption(
      "-f, --file <file>",
      "the file, an OTLP request in JSON on each line; - is standard input",
    )
    .action(run(async () => (await import("./actions/traces.ts")).runTracesImport));
}
