import type { Command } from "commander";
import { demoJson } from "./demo/demo-file.ts";
import { demoLines } from "./demo/demo-lines.ts";
import { fillDemo } from "./demo/fill-demo.ts";
import type { Operation, Run } from "./run-command.ts";
import type { Answer } from "./terminal.ts";

/** Adds `demo`. */
export function addDemoCommand(program: Command, run: Run): void {
  program
    .command("demo")
    .description("fill the demo workspace, or go on with it, and print its credentials")
    .action(run(demo));
}

async function demo({ services, config, log, signal }: Operation): Promise<Answer> {
  const { dataDir } = config;
  const credentials = await fillDemo(services, { log, dataDir, signal });
  const baseUrl = config.publicBaseUrl ?? `http://${config.host}:${config.port}`;
  return { json: demoJson(credentials), lines: demoLines(credentials, { baseUrl, dataDir }) };
}
