import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addPriceCommands(program: Command, run: CreateAction): void {
  program
    .command("prices")
    .description("what calls of models cost in a workspace")
    .command("import")
    .description("set the prices of a file of genai-prices or LiteLLM, and print what changes; others stay")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("-f, --file <file>", "the file, JSON; - is standard input")
    .option("--provider <names...>", "only prices of these providers, as the file names them")
    .option("--dry-run", "only print what would change")
    .action(run(async () => (await import("./actions/prices.ts")).runPricesImport));
}
