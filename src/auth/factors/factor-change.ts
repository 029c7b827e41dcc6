import { NOW, sql } from "../../db/sql.ts";
import type { FactorNews } from "../../domain/emails/email.ts";
import { queueEmail } from "../../domain/emails/queue-email.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import type { LockedUser } from "../../domain/users/lock-user.ts";

/** What proves, besides the password, who somebody is. */
export type Factor = "totp" | "recovery_code" | "passkey";

/** Something that happened to a person's second factors. */
export type FactorEvent = {
  /** Of the event and the audit row. */
  action: string;
  /** What the person is told by email. */
  news: FactorNews;
  /** For the event and the audit row. */
  changes?: Record<string, unknown>;
};

/** Tells what happened to the second factors of a person whom the caller has locked: event, audit row and email. */
export async function noteFactorEvent(
  tx: Transaction,
  user: LockedUser,
  { action, news, changes = {} }: FactorEvent,
): Promise<void> {
  await mail(tx, user, news);
  append(tx, {
    events: [describe(user, action, changes)],
    audit: [{ action, targetType: "user", targetId: user.id, changes }],
  });
}

/** {@link noteFactorEvent} after an addition or a removal, and notes whether the person has a second factor. */
export async function noteFactorChange(
  tx: Transaction,
  user: LockedUser,
  { action, news, changes = {}, hasFactor }: FactorEvent & { hasFactor: boolean },
): Promise<void> {
  const [row] = await tx.run(UPDATE, [tx.ctx.workspaceId, user.id, hasFactor]);
  await mail(tx, user, news);
  append(tx, {
    events: [describe(user, action, { ...changes, generation: row?.generation })],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action, targetType: "user", targetId: user.id, changes }],
  });
}

/** The event is about the person's second factors, which only admins see. */
function describe({ id }: LockedUser, type: string, data: Record<string, unknown>) {
  return { type, subjectType: "second_factor", subjectId: id, data };
}

const UPDATE = sql<{ generation: number }>`
UPDATE "user" SET second_factor_at = CASE WHEN $3 THEN COALESCE(second_factor_at, ${NOW}) END,
  updated_at = ${NOW}, generation = generation + 1
WHERE workspace_id = $1::uuid AND id = $2::uuid RETURNING generation`;

async function mail(tx: Transaction, { id, email, authEpoch }: LockedUser, news: FactorNews): Promise<void> {
  if (email === null) return;
  const { ip, userAgent } = tx.ctx;
  await queueEmail(tx, {
    userId: id,
    kind: "second_factor",
    sentTo: email,
    authEpoch,
    data: { ip, userAgent, news },
  });
}
