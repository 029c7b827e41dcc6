import { listUsers } from "../../domain/users/list-users.ts";
import type { UserView } from "../../domain/users/user-view.ts";
import { listAll } from "../list-all.ts";
import { tableLines } from "../table-lines.ts";
import { createUser } from "../../auth/users/create-user.ts";
import { invalid } from "../../domain/errors.ts";
import { ROLES, type Role } from "../../domain/scopes.ts";
import { deactivateUser } from "../../domain/users/deactivate-user.ts";
import { findUserIdByEmail } from "../../domain/users/find-user.ts";
import { openWorkspace } from "../open-workspace.ts";
import { readPassword } from "../read-password.ts";
import type { Operation } from "../run-command.ts";
import type { Answer } from "../terminal.ts";

type CreateOptions = {
  workspace: string;
  email: string;
  password: string;
  role: string;
  name?: string;
  confirmed?: true;
};

/** Creates a person who logs in with a password. */
export async function create(
  { services, terminal, signal }: Operation,
  options: CreateOptions,
): Promise<Answer> {
  const role = roleOf(options.role);
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

/** Ends a person's sessions and links, and lets nobody in by that address. */
export async function suspend(
  { services }: Operation,
  { workspace, email }: { workspace: string; email: string },
): Promise<Answer> {
  const ctx = await openWorkspace(services, workspace);
  const userId = await findUserIdByEmail(ctx, email);
  await deactivateUser(ctx, userId);
  return { json: { user_id: userId }, lines: [`${email} is suspended.`, `  User id  ${userId}`] };
}

function roleOf(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw invalid("role", `must be one of ${ROLES.join(", ")}`);
  return role;
}

/** Lists the members of a workspace. */
export async function list({ services }: Operation, { workspace }: { workspace: string }): Promise<Answer> {
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
