import { v7 as uuidv7 } from "uuid";
import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import type { Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import type { AppendContent } from "../kernel/events.ts";
import { getFixedTimes } from "../kernel/get-fixed-times.ts";
import type { Role } from "../kernel/scopes.ts";

/** A member to insert. */
export type NewUser = {
  email: string;
  name: string | null;
  role: Role;
  /** Null if the person will set a password by a link. */
  hashedPassword: string | null;
  confirmedAt: Date | null;
};

/**
 * Inserts a member.
 *
 * @returns the id, and what the transaction must append besides its audit event.
 * @throws {DomainError} validation_failed if another user of the workspace has the address.
 */
export async function insertUser(
  { db, ctx }: Transaction,
  input: NewUser,
): Promise<{ userId: string; appended: Required<Pick<AppendContent, "events" | "totals">> }> {
  const userId = uuidv7();
  const at = getFixedTimes(ctx, "createdAt", "updatedAt");
  try {
    await db.user.create({ data: { workspaceId: ctx.workspaceId, id: userId, ...input, ...at } });
  } catch (error) {
    if (getDatabaseErrorKind(error) === "taken")
      throw createFieldError("email", "is the address of another user");
    throw error;
  }
  const data = { generation: 1, role: input.role };
  return {
    userId,
    appended: {
      events: [{ type: "user.created", subjectType: "user", subjectId: userId, data }],
      totals: [{ collection: "users", to: null }],
    },
  };
}
