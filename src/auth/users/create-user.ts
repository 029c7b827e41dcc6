import { z } from "zod";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireRole } from "../../domain/kernel/guard.ts";
import { email, parseInput, nameInEmails } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { ROLES } from "../../domain/kernel/scopes.ts";
import { insertUser } from "../../domain/users/insert-user.ts";
import { findPasswordProblem } from "../password-rules.ts";
import type { PasswordHasher } from "../passwords.ts";

const shape = z.object({
  email,
  password: z.string(),
  name: nameInEmails(LIMITS.nameLength).nullish(),
  role: z.enum(ROLES, { error: `must be one of ${ROLES.join(", ")}` }),
  confirmed: z.boolean().default(false),
});

/**
 * Creates a person who can log in with a password.
 *
 * @returns the user's id.
 * @throws {DomainError} forbidden below admin; validation_failed, also if another user of the workspace has
 *   the address.
 */
export async function createUser(
  ctx: Ctx,
  passwords: PasswordHasher,
  input: z.input<typeof shape>,
): Promise<string> {
  requireRole(ctx, input.role === "owner" ? "owner" : "admin");
  const { password, confirmed, email, name = null, role } = parseInput(shape, input);
  const problem = findPasswordProblem(password, { email, min: passwords.min });
  if (problem !== null) throw createFieldError("password", problem);
  // Outside the transaction: a hash takes too long to keep a database connection.
  const hashedPassword = await passwords.hash(password);
  return ctx.transaction(async (tx) => {
    const confirmedAt = confirmed ? await tx.now() : null;
    const { userId, appended } = await insertUser(tx, { email, name, role, hashedPassword, confirmedAt });
    const target = { targetType: "user", targetId: userId };
    append(tx, {
      ...appended,
      audit: [{ action: "user.created", ...target, changes: { role, confirmed } }],
    });
    return userId;
  });
}
