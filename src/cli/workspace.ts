import type { Command } from "commander";
import { createWorkspace } from "../auth/workspaces/create-workspace.ts";
import { resumeWorkspace, suspendWorkspace } from "../domain/workspaces/suspend-workspace.ts";
import { openWorkspace } from "./open-workspace.ts";
import type { Operation, Run } from "./run-command.ts";
import type { Answer } from "./terminal.ts";

/** Adds `workspace create`, `workspace suspend` and `workspace resume`. */
export function addWorkspaceCommands(program: Command, run: Run): void {
  const workspace = program.command("workspace").description("create, suspend and resume workspaces");
  workspace
    .command("create")
    .description("create a workspace with its primary API key and its SCIM token")
    .requiredOption("--name <name>", "what people call it, up to 100 characters")
    .action(run(create));
  workspace
    .command("suspend")
    .description("refuse every credential of a workspace")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(suspend));
  workspace
    .command("resume")
    .description("let the credentials of a suspended workspace in again")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(resume));
}

async function create({ services }: Operation, { name }: { name: string }): Promise<Answer> {
  const { workspaceId, apiKey, scimToken } = await createWorkspace(services, { name });
  return {
    json: { workspace_id: workspaceId, api_key: apiKey, scim_token: scimToken },
    lines: [
      `Created the workspace ${name}.`,
      `  Workspace id  ${workspaceId}`,
      `  API key       ${apiKey}`,
      `  SCIM token    ${scimToken}`,
    ],
    shownOnce: true,
  };
}

async function suspend({ services }: Operation, { workspace }: { workspace: string }): Promise<Answer> {
  const ctx = await openWorkspace(services, workspace);
  const suspendedAt = (await suspendWorkspace(ctx)).toISOString();
  return {
    json: { workspace_id: ctx.workspaceId, suspended_at: suspendedAt },
    lines: [`The workspace ${ctx.workspaceId} is suspended since ${suspendedAt}.`],
  };
}

async function resume({ services }: Operation, { workspace }: { workspace: string }): Promise<Answer> {
  const ctx = await openWorkspace(services, workspace);
  await resumeWorkspace(ctx);
  return {
    json: { workspace_id: ctx.workspaceId, suspended_at: null },
    lines: [`The workspace ${ctx.workspaceId} is not suspended.`],
  };
}
