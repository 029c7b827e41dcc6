import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { failureOf } from "../../db/failures.ts";
import type { Ctx } from "../../domain/context.ts";
import { invalid } from "../../domain/errors.ts";
import { append } from "../../domain/events.ts";
import { requireRole } from "../../domain/guard.ts";
import { parseInput, text } from "../../domain/input.ts";
import { LIMITS } from "../../domain/limits.ts";
import { ROLES } from "../../domain/scopes.ts";
import type { PasswordHasher } from "../passwords.ts";

const PASSWORD = { min: 12, max: 128 };

const shape = z.object({
  email: text(160).regex(/^[^@,;\s]+@[^@,;\s]+$/, "must be an e-mail address"),
  password: z.string().superRefine((value, context) => {
    const problem = passwordProblem(value);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  }),
  name: text(LIMITS.nameLength).nullish(),
  role: z.enum(ROLES, { error: `must be one of ${ROLES.join(", ")}` }),
  confirmed: z.boolean().default(false),
});

/**
 * Creates a person who can log in with a password.
 *
 * @returns the user's id.
 * @throws {DomainError} forbidden for less than an admin; validation_failed, also for an address that
 *   another user of the workspace has.
 */
export async function createUser(
  ctx: Ctx,
  passwords: PasswordHasher,
  input: z.input<typeof shape>,
): Promise<string> {
  requireRole(ctx, input.role === "owner" ? "owner" : "admin");
  const { password, confirmed, email, name, role } = parseInput(shape, input);
  // Before the transaction: a hash takes longer than a database connection should be held.
  const hashedPassword = await passwords.hash(password);
  const id = uuidv7();
  try {
    await ctx.transaction(async (tx) => {
      const at = ctx.now ?? (await nowOf(ctx));
      await tx.db.user.create({
        data: {
          workspaceId: ctx.workspaceId,
          id,
          email,
          name: name ?? null,
          role,
          hashedPassword,
          confirmedAt: confirmed ? at : null,
          ...(ctx.now !== null && { createdAt: ctx.now, updatedAt: ctx.now }),
        },
      });
      await append(tx, {
        events: [{ type: "user.created", subjectType: "user", subjectId: id, data: { generation: 1, role } }],
        totals: [{ collection: "users", to: null }],
        audit: [{ action: "user.created", targetType: "user", targetId: id, changes: { role, confirmed } }],
      });
    });
  } catch (error) {
    if (failureOf(error) === "taken") throw invalid("email", "is the address of another user");
    throw error;
  }
  return id;
}

async function nowOf(ctx: Ctx): Promise<Date> {
  const [row] = await ctx.read<{ now: Date }>({ name: "now", text: "SELECT now() AS now" }, []);
  if (row === undefined) throw new Error("PostgreSQL did not tell the time");
  return row.now;
}

/** Why a text can't be a password, or null. Lengths are counted in code points after NFKC. */
function passwordProblem(password: string): string | null {
  const length = Array.from(password.normalize("NFKC")).length;
  if (length < PASSWORD.min || length > PASSWORD.max) {
    return `must have ${PASSWORD.min} to ${PASSWORD.max} characters`;
  }
  return password.includes("\0") ? "must not contain NUL" : null;
}
