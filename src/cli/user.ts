import type { Command } from "commander";
import { createUser } from "../auth/users/create-user.ts";
import { invalid } from "../domain/errors.ts";
import { ROLES, type Role } from "../domain/scopes.ts";
import { deactivateUser } from "../domain/users/deactivate-user.ts";
import { findUserIdByEmail } from "../domain/users/find-user.ts";
import { openWorkspace } from "./open-workspace.ts";
import { readPassword } from "./read-password.ts";
import type { Operation, Run } from "./run-command.ts";
import type { Answer } from "./terminal.ts";

type CreateOptions = {
  workspace: string;
  email: string;
  password: string;
  role: string;
  name?: string;
  confirmed?: true;
};

/** Adds `user create` and `user suspend`. */
export function addUserCommands(program: Command, run: Run): void {
  const user = program.command("user").description("create and suspend people who log in");
  user
    .command("create")
    .description("create a person who logs in with a password")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--email <address>", "the address to log in with")
    .requiredOption("--password <password>", "12 characters or more; - reads a line of standard input")
    .requiredOption("--role <role>", ROLES.join(", "))
    .option("--name <name>", "what people call this person")
    .option("--confirmed", "take the address as confirmed")
    .action(run(create));
  user
    .command("suspend")
    .description("end a person's sessions and links, and let nobody in by that address")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--email <address>", "the address that the person logs in with")
    .action(run(suspend));
}

async function create({ services, terminal, signal }: Operation, options: CreateOptions): Promise<Answer> {
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

async function suspend(
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
