import { v7 as uuidv7 } from "uuid";
import type { FactorNews } from "./email.ts";
import type { Transaction } from "../kernel/context.ts";
import { getFixedTimes } from "../kernel/get-fixed-times.ts";
import { takeHit } from "../kernel/throttle.ts";

/** The client that caused an email. */
type RequestOrigin = { ip: string | null; userAgent: string | null };

/** To whom an email is sent after the commit. */
type Addressee = {
  userId: string;
  sentTo: string;
  /** The user's epoch. An email with a link is not sent after it changes. */
  authEpoch: number;
};

/** An email to be sent after the commit, with its values except the link. No secrets. */
export type DueEmail = Addressee &
  (
    | { kind: "password_changed" | "new_device"; data: RequestOrigin }
    | { kind: "second_factor"; data: RequestOrigin & { news: FactorNews } }
    /** `newEmail` is masked. */
    | { kind: "email_changed"; data: RequestOrigin & { newEmail: string } }
    /** `usedBy` is a name. */
    | { kind: "break_glass_used"; data: RequestOrigin & { usedBy: string } }
    | { kind: "webhook_disabled"; data: { endpointId: string; host: string; because: "failed" | "gone" } }
    | { kind: "email_change"; data: Record<string, never> }
    | { kind: "invitation"; data: { invitedBy: string } }
  );

/**
 * The most notices of one workspace to one address within 15 minutes. More would not inform the recipient
 * better.
 */
const NOTICES = 20;
/** Emails that people request. They have their own limit and error. */
const ASKED_FOR: ReadonlySet<DueEmail["kind"]> = new Set(["email_change", "invitation"]);

/**
 * Adds an email to the outbox, from which it is sent soon after the commit. A notice is dropped if the
 * workspace has recently sent twenty to the address: an identity provider may assign any address to its
 * users. Other workspaces have their own count.
 */
export async function queueEmail(tx: Transaction, email: DueEmail): Promise<void> {
  const { db, ctx } = tx;
  const notices = { key: `notices:${ctx.workspaceId}:${email.sentTo}`, limit: NOTICES };
  if (!ASKED_FOR.has(email.kind) && (await takeHit({ database: tx, now: tx.ctx.now }, notices)) === null)
    return;
  await db.mailOutbox.create({
    data: {
      workspaceId: ctx.workspaceId,
      id: uuidv7(),
      ...email,
      ...getFixedTimes(ctx, "createdAt", "nextAttemptAt"),
    },
  });
}

/** An email that says what is known when it is sent. Times are ISO 8601. Queued by `domain/notifications`. */
export type DueNotification = Addressee &
  (
    | { kind: "alerts"; data: { since: string } }
    | { kind: "waiting_questions"; data: { since: string | null; until: string } }
    | { kind: "digest"; data: { frequency: "daily" | "weekly" } }
  );
