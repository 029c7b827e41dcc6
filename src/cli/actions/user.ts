import { listUsers } from "../../domain/users/list-users.ts";
import type { UserView } from "../../domain/users/user-view.ts";
import { listAll } from "../list-all.ts";
import { tableLines } from "../table-lines.ts";
import { removeUserFactors } from "../../auth/factors/remove-user-factors.ts";
import { createUser } from "../../auth/users/create-user.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { ROLES, type Role } from "../../domain/kernel/scopes.ts";
import { deactivateUser } from "../../domain/users/deactivate-user.ts";
import { findUserIdByEmail } from "../../domain/users/find-user.ts";
import { openWorkspace } from "../open-workspace.ts";
import { readPassword } from "../read-password.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

type CreateOptions = {
  workspace: string;
  email: string;
  password: string;
  role: string;
  name?: string;
  confirmed?: true;
};

export async function runUserCreate(
  { services, terminal, signal }: CommandContext,
  options: CreateOptions,
): Promise<CommandAnswer> {
  const role = parseRole(options.role);
  const ctx = await openWorkspace(services, options.workspace);
  const userId = await createUser(ctx, services.passwords, {
    email: options.email,
    password: await readPassword(options.password, terminal.stdin, signal),
    name: options.name ?? null,
    role,
    confirmed: options.confirmed ?? false,
  });
  return {
    json: { user_id: userId },
    lines: [`Created ${options.email} as ${role}.`, `  User id  ${userId}`],
  };
}

/** Suspends a person: revokes their sessions and links, and prevents new log-ins. */
export async function runUserSuspend(
  { services }: CommandContext,
  { workspace, email }: { workspace: string; email: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const userId = await findUserIdByEmail(ctx, email);
  await deactivateUser(ctx, userId);
  return { json: { user_id: userId }, lines: [`${email} is suspended.`, `  User id  ${userId}`] };
}

/** Removes a person's second factors, and revokes the person's sessions. */
export async function runUserRemoveFactors(
  { services }: CommandContext,
  { workspace, email }: { workspace: string; email: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const userId = await findUserIdByEmail(ctx, email);
  await removeUserFactors(ctx, userId);
  return { json: { user_id: userId }, lines: [`${email} has no second factor.`, `  User id  ${userId}`] };
}

function parseRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw createFieldError("role", `must be one of ${ROLES.join(", ")}`);
  return role;
}

export async function runUserList(
  { services }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const all = await listAll<UserView>((page) => listUsers(ctx, page));
  const users = all.map(({ id, email, name, role, suspendedAt, hasPassword }) => {
    const status = suspendedAt !== null ? "suspended" : hasPassword ? "active" : "invited";
    return { id, email, name, role, status };
  });
  return {
    json: { users, count: users.length },
    lines: tableLines(
      ["User id", "Email", "Name", "Role", "State"],
      users.map(({ id, email, name, role, status }) => [id, email ?? "", name ?? "", role, status]),
    ),
  };
}
