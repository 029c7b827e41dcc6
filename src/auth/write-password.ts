import { NOW, sql } from "../db/sql.ts";
import type { Transaction } from "../domain/kernel/context.ts";
import type { LockedUser } from "../domain/users/lock-user.ts";

/** A person's new password. `name` null keeps the name; `confirms` confirms the account. */
export type WrittenPassword = { hashedPassword: string; name: string | null; confirms: boolean };

/**
 * Sets the password of a person whom the caller has locked, and deletes the person's sessions and links and
 * queued emails with links.
 *
 * @returns the person's new epoch and generation, and whether this confirmed the account.
 */
export async function writePassword(
  { run, db, ctx }: Transaction,
  { id }: LockedUser,
  { hashedPassword, name, confirms }: WrittenPassword,
): Promise<{ authEpoch: number; generation: number; isConfirmed: boolean }> {
  const unconfirmed = await db.user.count({ where: { id, confirmedAt: null } });
  const [written] = await run(UPDATE, [ctx.workspaceId, id, hashedPassword, name, confirms]);
  if (written === undefined) throw new Error("a locked user row does not exist");
  await db.userToken.deleteMany({ where: { userId: id } });
  await db.mailOutbox.deleteMany({ where: { userId: id, kind: { in: ["email_change", "invitation"] } } });
  return { ...written, isConfirmed: confirms && unconfirmed > 0 };
}

const UPDATE = sql<{ authEpoch: number; generation: number }>`
UPDATE "user" SET hashed_password = $3, name = COALESCE($4, name),
  confirmed_at = COALESCE(confirmed_at, CASE WHEN $5 THEN ${NOW} END),
  updated_at = ${NOW}, auth_epoch = auth_epoch + 1, generation = generation + 1
WHERE workspace_id = $1::uuid AND id = $2::uuid
RETURNING auth_epoch AS "authEpoch", generation`;
