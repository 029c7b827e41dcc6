import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

/** Adds `workspace create`, `workspace list`, `workspace suspend` and `workspace resume`. */
export function addWorkspaceCommands(program: Command, run: CreateAction): void {
  const workspace = program.command("workspace").description("create, list, suspend and resume workspaces");
  workspace
    .command("create")
    .description("create a workspace with its primary API key and its SCIM token")
    .requiredOption("--name <name>", "what people call it, up to 100 characters")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceCreate));
  workspace
    .command("list")
    .description("list every workspace, oldest first")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceList));
  workspace
    .command("suspend")
    .description("refuse every credential of a workspace")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceSuspend));
  workspace
    .command("resume")
    .description("let the credentials of a suspended workspace in again")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceResume));
}
