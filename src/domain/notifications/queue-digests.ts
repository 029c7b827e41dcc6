import { v7 as uuidv7 } from "uuid";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { findNextDigest } from "./find-next-digest.ts";
import type { NotificationSettings } from "./notification-settings.ts";
import { IS_REACHED } from "./recipients.ts";

/** People per transaction. */
const BATCH = 50;

const DUE_WORKSPACES = sql<{ id: string }>`
SELECT DISTINCT n.workspace_id AS id FROM notification_settings n JOIN workspace w ON w.id = n.workspace_id
WHERE n.digest_due_at <= ${NOW} AND w.suspended_at IS NULL`;

/**
 * Adds the digests that are due to the outbox, one a person however many were missed. Any number of nodes may run it at
 * once.
 *
 * @returns the number of people who had one due.
 */
export async function queueDigests(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(
    services,
    { now, turns },
    { due: DUE_WORKSPACES, actor: "notifications", batch: (ctx: Ctx) => ctx.transaction(queueDue) },
  );
}

async function queueDue(tx: Transaction): Promise<number> {
  const due = await tx.run(LOCK_DUE, [tx.ctx.workspaceId]);
  if (due.length === 0) return 0;
  const now = await tx.now();
  const next = due.map(({ userId, ...settings }) => ({
    ...{ userId, id: uuidv7() },
    dueAt: findNextDigest(settings, now),
  }));
  await tx.run(QUEUE, [tx.ctx.workspaceId, JSON.stringify(next)]);
  return due.length;
}

type Due = { userId: string } & Pick<NotificationSettings, "digest" | "digestHour" | "timeZone">;

/** People are locked before their settings, as where they are changed. */
const LOCK_DUE = sql<Due>`
SELECT n.user_id AS "userId", n.digest::text, n.digest_hour AS "digestHour", n.time_zone AS "timeZone"
FROM notification_settings n JOIN "user" u ON u.workspace_id = n.workspace_id AND u.id = n.user_id
WHERE n.workspace_id = $1::uuid AND n.digest_due_at <= ${NOW}
ORDER BY n.digest_due_at LIMIT ${BATCH} FOR KEY SHARE OF u SKIP LOCKED FOR UPDATE OF n SKIP LOCKED`;

const QUEUE = sql`
WITH next AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS r("userId" uuid, id uuid, "dueAt" timestamptz)
), moved AS (
  UPDATE notification_settings n SET digest_due_at = next."dueAt" FROM next
  WHERE n.workspace_id = $1::uuid AND n.user_id = next."userId"
  RETURNING n.user_id, n.digest
)
INSERT INTO mail_outbox (workspace_id, id, user_id, kind, sent_to, data, auth_epoch, created_at, next_attempt_at)
SELECT $1::uuid, next.id, u.id, 'digest', u.email, jsonb_build_object('frequency', moved.digest), u.auth_epoch, ${NOW}, ${NOW}
FROM moved JOIN next ON next."userId" = moved.user_id
JOIN "user" u ON u.workspace_id = $1::uuid AND u.id = moved.user_id
WHERE ${IS_REACHED}`;
