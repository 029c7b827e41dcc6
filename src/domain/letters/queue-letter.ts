import { v7 as uuidv7 } from "uuid";
import type { LetterKind } from "../../db/generated/enums.ts";
import type { Transaction } from "../context.ts";

/** A letter that is due when the transaction commits. */
export type DueLetter = {
  userId: string;
  kind: LetterKind;
  sentTo: string;
  /** The user's; a letter with a link is not sent once it has changed. */
  authEpoch: number;
  /** What the letter tells beside its link; no secret. */
  data?: Record<string, string | null>;
};

/** Puts a letter into the outbox, from which it is sent soon after the commit. */
export async function queueLetter({ db, ctx }: Transaction, letter: DueLetter): Promise<void> {
  await db.mailOutbox.create({
    data: {
      workspaceId: ctx.workspaceId,
      id: uuidv7(),
      ...letter,
      data: letter.data ?? {},
      ...(ctx.now !== null && { createdAt: ctx.now, nextAttemptAt: ctx.now }),
    },
  });
}
