import { NOW, sql } from "../../db/sql.ts";
import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import type { Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { maskEmail } from "../emails/mask-email.ts";
import { queueEmail } from "../emails/queue-email.ts";

/**
 * Changes the email address of a person whom the caller has locked, and permanently invalidates all links
 * to earlier addresses. Sessions stay valid. The old address is notified.
 *
 * @throws {DomainError} validation_failed if another person of the workspace has the address.
 */
export async function setEmail(tx: Transaction, userId: string, email: string | null): Promise<void> {
  const { run, db, ctx } = tx;
  let changed: { old: string | null; authEpoch: number } | undefined;
  try {
    [changed] = await run(UPDATE, [ctx.workspaceId, userId, email]);
  } catch (error) {
    if (getDatabaseErrorKind(error) === "taken")
      throw createFieldError("email", "is the address of another user");
    throw error;
  }
  await db.userToken.deleteMany({ where: { userId, context: { not: "session" } } });
  await db.mailOutbox.deleteMany({ where: { userId, kind: { in: ["email_change", "invitation"] } } });
  if (changed === undefined || changed.old === null || email === null) return;
  const data = { ip: ctx.ip, userAgent: ctx.userAgent, newEmail: maskEmail(email) };
  const { old, authEpoch } = changed;
  await queueEmail(tx, { userId, kind: "email_changed", sentTo: old, authEpoch, data });
}

const UPDATE = sql<{ old: string | null; authEpoch: number }>`
WITH before AS (SELECT email FROM "user" WHERE workspace_id = $1::uuid AND id = $2::uuid)
  UPDATE "user" SET email = $3, updated_at = ${NOW}, generation = generation + 1
  FROM before WHERE workspace_id = $1::uuid AND id = $2::uuid
  RETURNING before.email AS old, auth_epoch AS "authEpoch"`;
