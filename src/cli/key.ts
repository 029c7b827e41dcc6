import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

/** Adds `key create`, `key list` and `key revoke`. */
export function addKeyCommands(program: Command, run: CreateAction): void {
  const key = program.command("key").description("create, list and revoke API keys");
  key
    .command("create")
    .description("create an API key that holds some scopes")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--scopes <scopes>", "such as tasks:read,tasks:work", parseList)
    .option("--name <name>", "what the key is for", "Key of the command line")
    .option("--agent <handle>", "the agent that it acts as; a new one where it is left out")
    .action(run(async () => (await import("./actions/key.ts")).runKeyCreate));
  key
    .command("list")
    .description("list a workspace's API keys, newest first, without their secrets")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/key.ts")).runKeyList));
  key
    .command("revoke")
    .description("end an API key and every token that it minted")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--key <id>", "the key's id")
    .action(run(async () => (await import("./actions/key.ts")).runKeyRevoke));
}

function parseList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
