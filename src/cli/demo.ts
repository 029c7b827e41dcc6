import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addDemoCommand(program: Command, run: CreateAction): void {
  program
    .command("demo")
    .description("fill the demo workspace, or continue to fill it, and print its credentials")
    .action(run(async () => (await import("./actions/demo.ts")).runDemo));
}
