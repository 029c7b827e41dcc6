import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addMcpCommands(program: Command, run: CreateAction): void {
  const mcp = program.command("mcp").description("MCP servers whose tools agents call at /mcp/proxy");
  mcp
    .command("add")
    .description("register an MCP server and read its tools, which wait for a review")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--slug <slug>", "its name in URLs and policies")
    .requiredOption("--url <url>", "its address")
    .option("--name <name>", "its name for people; default: the slug")
    .option("--secret <secret>", "what requests to it carry; - reads it from standard input")
    .option("--secret-header <name>", "the header that carries the secret; default: a bearer")
    .action(run(async () => (await import("./actions/mcp.ts")).runMcpAdd));
  mcp
    .command("list")
    .description("list a workspace's MCP servers with their tools, newest first")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/mcp.ts")).runMcpList));
  mcp
    .command("review")
    .description("read a server's tools again, approve or block those with the given hashes, and print all")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--server <slug>", "the server")
    .option("--approve <hashes...>", "hashes of definitions to approve, as printed before", [])
    .option("--block <hashes...>", "hashes of definitions whose tools to block", [])
    .action(run(async () => (await import("./actions/mcp.ts")).runMcpReview));
}
