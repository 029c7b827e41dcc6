import type { Command } from "commander";
import type { CreateAction } from "./run-command.ts";

export function addWorkspaceCommands(program: Command, run: CreateAction): void {
  const workspace = program
    .command("workspace")
    .description("create, list, limit, suspend, resume, export and delete workspaces");
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
  addLimitingCommands(workspace, run);
  workspace
    .command("export")
    .description(
      "write everything of a workspace but secrets to standard output, as one row per line in JSON",
    )
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceExport));
}

function addLimitingCommands(workspace: Command, run: CreateAction): void {
  workspace
    .command("quota")
    .description("show a workspace's quotas and what it uses of them, and set those that are given")
    .requiredOption("--workspace <id>", "the workspace's id")
    .option("--agents <count>", "agents that are not archived; none for no limit")
    .option("--tasks-per-day <count>", "tasks that are created in a day (UTC), or none")
    .option("--events-per-second <count>", "events in a second, or none")
    .option("--storage-mib <count>", "what is stored, in MiB, or none")
    .action(run(async () => (await import("./actions/quota.ts")).runWorkspaceQuota));
  workspace
    .command("delete")
    .description("suspend a workspace at once, and delete all of it after some days")
    .requiredOption("--workspace <id>", "the workspace's id")
    .option("--grace-days <days>", "after how many days, 1 to 90; until then it can be undone", "7")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceDelete));
  workspace
    .command("undelete")
    .description("undo the deletion of a workspace that has not begun")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(async () => (await import("./actions/workspace.ts")).runWorkspaceUndelete));
}
