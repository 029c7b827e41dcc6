import { exportWorkspace } from "../../domain/workspaces/export-workspace.ts";
import { listWorkspaces } from "../../domain/workspaces/list-workspaces.ts";
import { tableLines } from "../table-lines.ts";
import { createWorkspace } from "../../auth/workspaces/create-workspace.ts";
import { deleteWorkspace, undeleteWorkspace } from "../../domain/workspaces/delete-workspace.ts";
import { resumeWorkspace, suspendWorkspace } from "../../domain/workspaces/suspend-workspace.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

/** Creates a workspace with its primary API key and its SCIM token. */
export async function runWorkspaceCreate(
  { services }: CommandContext,
  { name }: { name: string },
): Promise<CommandAnswer> {
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

/** Suspends a workspace: none of its credentials are accepted. */
export async function runWorkspaceSuspend(
  { services }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const suspendedAt = (await suspendWorkspace(ctx)).toISOString();
  return {
    json: { workspace_id: ctx.workspaceId, suspended_at: suspendedAt },
    lines: [`The workspace ${ctx.workspaceId} is suspended since ${suspendedAt}.`],
  };
}

/** Ends the suspension of a workspace: its credentials are accepted again. */
export async function runWorkspaceResume(
  { services }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  await resumeWorkspace(ctx);
  return {
    json: { workspace_id: ctx.workspaceId, suspended_at: null },
    lines: [`The workspace ${ctx.workspaceId} is not suspended.`],
  };
}

/** Writes everything of a workspace but secrets to standard output. */
export async function runWorkspaceExport(
  { services, config, terminal, signal }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const databaseUrl = services.embedded?.url ?? config.directDatabaseUrl ?? config.databaseUrl ?? "";
  for await (const part of exportWorkspace(ctx, databaseUrl)) {
    signal.throwIfAborted();
    await terminal.write(part);
  }
  return { json: null, lines: [] };
}

export async function runWorkspaceList({ services }: CommandContext): Promise<CommandAnswer> {
  const all = await listWorkspaces(services.database);
  const workspaces = all.map(({ id, name, createdAt, suspendedAt, deletionAt, users, agents }) => ({
    id,
    name,
    created_at: createdAt.toISOString(),
    suspended_at: suspendedAt?.toISOString() ?? null,
    deletion_at: deletionAt?.toISOString() ?? null,
    users,
    agents,
  }));
  return {
    json: { workspaces, count: workspaces.length },
    lines: tableLines(
      ["Workspace id", "Name", "Users", "Agents", "State"],
      workspaces.map((one) => [one.id, one.name, String(one.users), String(one.agents), describeState(one)]),
    ),
  };
}

/** Suspends a workspace at once, and has it deleted after some days. */
export async function runWorkspaceDelete(
  { services }: CommandContext,
  { workspace, graceDays }: { workspace: string; graceDays: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const deletionAt = (await deleteWorkspace(ctx, { graceDays: Number(graceDays) })).toISOString();
  return {
    json: { workspace_id: ctx.workspaceId, deletion_at: deletionAt },
    lines: [
      `The workspace ${ctx.workspaceId} is suspended. All of it is deleted from ${deletionAt} on.`,
      `Until then, this undoes it: agent-ops workspace undelete --workspace ${ctx.workspaceId}`,
    ],
  };
}

/** Undoes the deletion of a workspace. */
export async function runWorkspaceUndelete(
  { services }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const suspendedAt = (await undeleteWorkspace(ctx))?.toISOString() ?? null;
  const state = suspendedAt === null ? "and is not suspended" : "but stays suspended, as it was before";
  return {
    json: { workspace_id: ctx.workspaceId, deletion_at: null, suspended_at: suspendedAt },
    lines: [`The workspace ${ctx.workspaceId} is not deleted, ${state}.`],
  };
}

function describeState(state: { suspended_at: string | null; deletion_at: string | null }): string {
  if (state.deletion_at !== null) return `deleted on ${state.deletion_at.slice(0, 10)}`;
  return state.suspended_at === null ? "active" : "suspended";
}
