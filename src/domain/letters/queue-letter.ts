import { v7 as uuidv7 } from "uuid";
import type { Transaction } from "../context.ts";
import { takeHit } from "../throttle.ts";

/** Where what a letter tells of was done. */
type From = { ip: string | null; userAgent: string | null };

/** A letter that is due when the transaction commits, and what it tells beside its link; no secret. */
export type DueLetter = {
  userId: string;
  sentTo: string;
  /** The user's; a letter with a link is not sent once it has changed. */
  authEpoch: number;
} & (
  | { kind: "password_changed" | "new_device"; data: From }
  /** `newEmail` is masked. */
  | { kind: "email_changed"; data: From & { newEmail: string } }
  | { kind: "email_change"; data: Record<string, never> }
  | { kind: "invitation"; data: { invitedBy: string } }
);

/** Letters within 15 minutes by which a workspace tells one address of what was done: who gets so many has been told. */
const NOTICES = 20;
/** Letters that somebody asks for, who is held to a limit and told of it. */
const ASKED_FOR: ReadonlySet<DueLetter["kind"]> = new Set(["email_change", "invitation"]);

/**
 * Puts a letter into the outbox, from which it is sent soon after the commit. What tells of something is left out
 * where the workspace has told the address of twenty things lately: an identity provider may give its people any
 * address. Other workspaces still tell it.
 */
export async function queueLetter(tx: Transaction, letter: DueLetter): Promise<void> {
  const { db, ctx } = tx;
  const notices = { key: `notices:${ctx.workspaceId}:${letter.sentTo}`, limit: NOTICES };
  const services = { database: { prisma: db }, now: ctx.now };
  if (!ASKED_FOR.has(letter.kind) && !(await takeHit(services, notices)).allowed) return;
  await db.mailOutbox.create({
    data: {
      workspaceId: ctx.workspaceId,
      id: uuidv7(),
      ...letter,
      ...(ctx.now !== null && { createdAt: ctx.now, nextAttemptAt: ctx.now }),
    },
  });
}
