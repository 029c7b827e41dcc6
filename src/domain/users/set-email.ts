import { failureOf } from "../../db/failures.ts";
import type { Transaction } from "../context.ts";
import { invalid } from "../errors.ts";

/**
 * Gives a person, whom the caller has locked, another e-mail address, and ends every link that was sent
 * to an earlier one: for good, also where the address comes back. Sessions stay.
 *
 * @throws {DomainError} validation_failed where another person of the workspace has the address.
 */
export async function setEmail(
  { db, ctx }: Transaction,
  userId: string,
  email: string | null,
): Promise<void> {
  try {
    await db.$queryRawUnsafe(
      `UPDATE "user" SET email = $3, updated_at = COALESCE($4::timestamptz, now()), generation = generation + 1
       WHERE workspace_id = $1::uuid AND id = $2::uuid`,
      ...[ctx.workspaceId, userId, email, ctx.now],
    );
  } catch (error) {
    if (failureOf(error) === "taken") throw invalid("email", "is the address of another user");
    throw error;
  }
  await db.userToken.deleteMany({ where: { userId, context: { not: "session" } } });
  await db.mailOutbox.deleteMany({ where: { userId, kind: { in: ["email_change", "invitation"] } } });
}
