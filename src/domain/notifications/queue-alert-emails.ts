import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { EMAIL_GAP, IS_REACHED } from "./recipients.ts";

/**
 * Adds an email about alert rules that fired or were resolved at `at` to the outbox of everybody who wants them. An email
 * that is not sent yet is about these too, and emails to one person are at least five minutes apart. What they say is
 * read when they are sent.
 */
export async function queueAlertEmails(tx: Transaction, at: Date): Promise<void> {
  await tx.run(QUEUE, [tx.ctx.workspaceId, JSON.stringify({ since: at })]);
}

/** People are locked in a fixed order: concurrent statements wait for each other, and don't deadlock. */
const QUEUE = sql`
WITH person AS MATERIALIZED (
  SELECT n.user_id, u.email, u.auth_epoch, GREATEST(${NOW}, n.alerts_told_at + ${EMAIL_GAP}) AS due_at
  FROM notification_settings n JOIN "user" u ON u.workspace_id = n.workspace_id AND u.id = n.user_id
  WHERE n.workspace_id = $1::uuid AND n.alerts AND ${IS_REACHED}
  ORDER BY n.user_id FOR UPDATE OF n
), queued AS (
  INSERT INTO mail_outbox AS o
    (workspace_id, id, user_id, kind, sent_to, data, auth_epoch, created_at, next_attempt_at)
  SELECT $1::uuid, gen_random_uuid(), p.user_id, 'alerts', p.email, $2::jsonb, p.auth_epoch, ${NOW}, p.due_at
  FROM person p
  ON CONFLICT (workspace_id, user_id) WHERE kind = 'alerts' AND attempts = 0 DO UPDATE
    SET data = CASE WHEN EXCLUDED.data ->> 'since' < o.data ->> 'since' THEN EXCLUDED.data ELSE o.data END
  RETURNING o.user_id, o.next_attempt_at, o.xmax = 0 AS is_new
)
UPDATE notification_settings n SET alerts_told_at = q.next_attempt_at FROM queued q
WHERE n.workspace_id = $1::uuid AND n.user_id = q.user_id AND q.is_new`;
