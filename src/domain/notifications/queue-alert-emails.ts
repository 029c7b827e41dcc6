import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { EMAIL_GAP, HAS_FAILED, IS_REACHED } from "./recipients.ts";

/**
 * Adds an email about alert rules that fired or were resolved at `at` to the outbox of everybody who wants them. An email
 * that is not sent yet is about these too, the new one also about what several attempts could not tell, and emails to one
 * person are at least five minutes apart. What they say is read when they are sent.
 */
export async function queueAlertEmails(tx: Transaction, at: Date): Promise<void> {
  await tx.run(QUEUE, [tx.ctx.workspaceId, at.toISOString()]);
}

/** People are locked in a fixed order, and before their settings: concurrent changes wait for each other, and don't deadlock. */
const QUEUE = sql`
WITH person AS MATERIALIZED (
  SELECT n.user_id, u.email, u.auth_epoch, GREATEST(${NOW}, n.alerts_told_at + ${EMAIL_GAP}) AS due_at
  FROM notification_settings n JOIN "user" u ON u.workspace_id = n.workspace_id AND u.id = n.user_id
  WHERE n.workspace_id = $1::uuid AND n.alerts AND ${IS_REACHED}
  ORDER BY n.user_id FOR KEY SHARE OF u FOR UPDATE OF n
), failed AS (
  DELETE FROM mail_outbox o USING person p
  WHERE o.workspace_id = $1::uuid AND o.user_id = p.user_id AND o.kind = 'alerts' AND ${HAS_FAILED}
  RETURNING o.user_id, o.data ->> 'since' AS since
), queued AS (
  INSERT INTO mail_outbox AS o
    (workspace_id, id, user_id, kind, sent_to, data, auth_epoch, created_at, next_attempt_at)
  SELECT $1::uuid, gen_random_uuid(), p.user_id, 'alerts', p.email,
    jsonb_build_object('since', LEAST($2::text, f.since)), p.auth_epoch, ${NOW}, p.due_at
  FROM person p LEFT JOIN (SELECT user_id, min(since) AS since FROM failed GROUP BY user_id) f ON f.user_id = p.user_id
  ON CONFLICT (workspace_id, user_id) WHERE kind = 'alerts' AND attempts = 0 DO UPDATE
    SET data = EXCLUDED.data WHERE EXCLUDED.data ->> 'since' < o.data ->> 'since'
  RETURNING o.user_id, o.next_attempt_at, o.xmax = 0 AS is_new
)
UPDATE notification_settings n SET alerts_told_at = q.next_attempt_at FROM queued q
WHERE n.workspace_id = $1::uuid AND n.user_id = q.user_id AND q.is_new`;
