import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addWorkspaceCommands(program: Command, run: CreateAction): void {
  const workspace = program
    .command("workspace")
    .description("create, list, suspend, resume and export workspaces");
  workspace
    .command("create")
    .description("create a workspace with its primary API key and its SCIM token")
    .requiredOption("--name <name>", "the display name, up to 100 characters")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceCreate));
  workspace
    .command("list")
    .description("list all workspaces, oldest first")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceList));
  workspace
    .command("suspend")
    .description("suspend a workspace: reject all of its credentials")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceSuspend));
  workspace
    .command("resume")
    .description("end the suspension of a workspace: accept its credentials again")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceResume));
  workspace
    .command("export")
    .description(
      "write everything of a workspace but secrets to standard output, as one row per line in JSON",
    )
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceExport));
}
