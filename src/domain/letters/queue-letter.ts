import { v7 as uuidv7 } from "uuid";
import type { Transaction } from "../context.ts";

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

/** Puts a letter into the outbox, from which it is sent soon after the commit. */
export async function queueLetter({ db, ctx }: Transaction, letter: DueLetter): Promise<void> {
  await db.mailOutbox.create({
    data: {
      workspaceId: ctx.workspaceId,
      id: uuidv7(),
      ...letter,
      ...(ctx.now !== null && { createdAt: ctx.now, nextAttemptAt: ctx.now }),
    },
  });
}
