import { NOW, SOME_WORKSPACE, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { EMAIL_GAP, HAS_FAILED, IS_REACHED } from "./recipients.ts";

/** People per transaction. */
const BATCH = 100;

/**
 * The settings `n` of people, and the newest question `q` that has waited for as long as they said and that they were not
 * told of.
 */
const LATE = `notification_settings n JOIN "user" u ON u.workspace_id = n.workspace_id AND u.id = n.user_id
  CROSS JOIN LATERAL (
    SELECT m.created_at FROM message m
    WHERE m.workspace_id = n.workspace_id AND m.waiting
      AND m.created_at <= ${NOW} - n.question_minutes * interval '1 minute'
      AND m.created_at > COALESCE(n.questions_told_until, '-infinity')
    ORDER BY m.created_at DESC, m.id DESC LIMIT 1
  ) q
WHERE n.question_minutes IS NOT NULL AND ${IS_REACHED}
  AND (n.questions_told_at IS NULL OR n.questions_told_at <= ${NOW} - ${EMAIL_GAP})`;

const DUE_WORKSPACES = sql<{ id: string }>`
SELECT DISTINCT n.workspace_id AS id FROM ${LATE}
  AND EXISTS (SELECT 1 FROM workspace w WHERE w.id = n.workspace_id AND w.suspended_at IS NULL)`;

/**
 * Adds emails about questions that wait for longer than people want to the outbox. Each person is told once of a question,
 * and of all that are late in one email. Any number of nodes may run it at once.
 *
 * @returns the number of emails.
 */
export async function queueQuestionEmails(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(
    services,
    { now, turns },
    {
      due: DUE_WORKSPACES,
      actor: "notifications",
      batch: (ctx: Ctx) => ctx.transaction(async (tx) => (await tx.run(QUEUE, [ctx.workspaceId])).length),
    },
  );
}

const QUEUE = sql`
WITH late AS MATERIALIZED (
  SELECT n.user_id, u.email, u.auth_epoch, n.questions_told_until AS since, q.created_at AS until
  FROM ${LATE} AND n.workspace_id = ${SOME_WORKSPACE}
  ORDER BY n.user_id LIMIT ${BATCH} FOR KEY SHARE OF u SKIP LOCKED FOR UPDATE OF n SKIP LOCKED
), told AS (
  UPDATE notification_settings n SET questions_told_at = ${NOW}, questions_told_until = l.until
  FROM late l WHERE n.workspace_id = $1::uuid AND n.user_id = l.user_id
), failed AS (
  DELETE FROM mail_outbox o USING late l
  WHERE o.workspace_id = $1::uuid AND o.user_id = l.user_id AND o.kind = 'waiting_questions' AND ${HAS_FAILED}
  RETURNING o.user_id, COALESCE((o.data ->> 'since')::timestamptz, '-infinity') AS since
)
INSERT INTO mail_outbox (workspace_id, id, user_id, kind, sent_to, data, auth_epoch, created_at, next_attempt_at)
SELECT $1::uuid, gen_random_uuid(), l.user_id, 'waiting_questions', l.email,
  jsonb_build_object('since', NULLIF(COALESCE(f.since, l.since), '-infinity'), 'until', l.until), l.auth_epoch, ${NOW}, ${NOW}
FROM late l LEFT JOIN (SELECT user_id, min(since) AS since FROM failed GROUP BY user_id) f ON f.user_id = l.user_id
RETURNING id`;
