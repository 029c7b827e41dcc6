import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addKeyCommands(program: Command, run: CreateAction): void {
  const key = program.command("key").description("create, list and revoke API keys");
  key
    .command("create")
    .description("create an API key with the given scopes")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--scopes <scopes>", "such as tasks:read,tasks:work", parseList)
    .option("--name <name>", "what the key is for", "Key of the command line")
    .option("--agent <handle>", "the agent that the key acts as; default: a new one")
    .action(run(async () => (await import("./actions/key.ts")).runKeyCreate));
  key
    .command("list")
    .description("list a workspace's API keys without their secrets, newest first")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/key.ts")).runKeyList));
  key
    .command("revoke")
    .description("revoke an API key and every token that it minted")
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
