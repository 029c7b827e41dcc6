import { v7 as uuidv7 } from "uuid";
import type { Transaction } from "../kernel/context.ts";
import { takeHit } from "../kernel/throttle.ts";

/** Where what a letter tells of was done. */
type RequestOrigin = { ip: string | null; userAgent: string | null };

/** A letter that is due when the transaction commits, and what it tells beside its link; no secret. */
export type DueEmail = {
  userId: string;
  sentTo: string;
  /** The user's; a letter with a link is not sent once it has changed. */
  authEpoch: number;
} & (
  | { kind: "password_changed" | "new_device"; data: RequestOrigin }
  /** `newEmail` is masked. */
  | { kind: "email_changed"; data: RequestOrigin & { newEmail: string } }
  | { kind: "email_change"; data: Record<string, never> }
  | { kind: "invitation"; data: { invitedBy: string } }
);

/** Letters within 15 minutes by which a workspace tells one address of what was done: who gets so many has been told. */
const NOTICES = 20;
/** Letters that somebody asks for, who is held to a limit and told of it. */
const ASKED_FOR: ReadonlySet<DueEmail["kind"]> = new Set(["email_change", "invitation"]);

/**
 * Puts a letter into the outbox, from which it is sent soon after the commit. What tells of something is left out
 * where the workspace has told the address of twenty things lately: an identity provider may give its people any
 * address. Other workspaces still tell it.
 */
export async function queueEmail(tx: Transaction, email: DueEmail): Promise<void> {
  const { db, ctx } = tx;
  const notices = { key: `notices:${ctx.workspaceId}:${email.sentTo}`, limit: NOTICES };
  if (!ASKED_FOR.has(email.kind) && !(await takeHit({ database: tx, now: tx.ctx.now }, notices)).allowed)
    return;
  await db.mailOutbox.create({
    data: {
      workspaceId: ctx.workspaceId,
      id: uuidv7(),
      ...email,
      ...(ctx.now !== null && { createdAt: ctx.now, nextAttemptAt: ctx.now }),
    },
  });
}
