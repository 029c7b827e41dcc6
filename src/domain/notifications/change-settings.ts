import { NotificationTopic } from "../../db/generated/enums.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { lockUser } from "../users/lock-user.ts";
import { findNextDigest } from "./find-next-digest.ts";
import {
  DEFAULT_SETTINGS,
  type NotificationChanges,
  type NotificationSettings,
} from "./notification-settings.ts";
import { SETTINGS_COLUMNS } from "./read-notification-settings.ts";

/** What people change, and what of it changes when digests are due. */
const NAMES = ["alerts", "questionMinutes", "digest", "digestHour", "timeZone"] as const;
const OF_DIGESTS: ReadonlySet<string> = new Set(["digest", "digestHour", "timeZone"]);

/**
 * Changes what a person is told of by email. Whoever begins to be told of questions is told of those that wait already, but
 * not within five minutes of the last email about some.
 *
 * @throws {DomainError} not_found.
 */
export async function changeSettings(
  tx: Transaction,
  userId: string,
  wanted: NotificationChanges,
): Promise<NotificationSettings> {
  await lockUser(tx, userId);
  const whose = [tx.ctx.workspaceId, userId];
  const [before = DEFAULT_SETTINGS] = await tx.run(READ, whose);
  const changed = NAMES.filter((name) => wanted[name] !== undefined && wanted[name] !== before[name]);
  if (changed.length === 0) return before;
  const after = { ...before, ...wanted };
  const isDigestChanged = changed.some((name) => OF_DIGESTS.has(name));
  const digestDueAt = isDigestChanged ? findNextDigest(after, await tx.now()) : before.digestDueAt;
  const { alerts, questionMinutes, digest, digestHour, timeZone } = after;
  await tx.run(WRITE, [...whose, alerts, questionMinutes, digest, digestHour, timeZone, digestDueAt]);
  await tx.run(DELETE_QUEUED, [...whose, listEnded(after)]);
  append(tx, {
    events: [
      {
        type: "notification_settings.updated",
        subjectType: "notification_settings",
        subjectId: userId,
        data: { changed },
      },
    ],
    audit: [
      {
        action: "notification_settings.updated",
        targetType: "user",
        targetId: userId,
        changes: Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }])),
      },
    ],
  });
  return { ...after, digestDueAt };
}

/** What the person is not told of any more. */
function listEnded({ alerts, questionMinutes, digest }: NotificationSettings): NotificationTopic[] {
  const ended = { alerts: !alerts, waiting_questions: questionMinutes === null, digest: digest === "never" };
  return Object.values(NotificationTopic).filter((topic) => ended[topic]);
}

const READ = sql<NotificationSettings>`
SELECT ${SETTINGS_COLUMNS} FROM notification_settings WHERE workspace_id = $1::uuid AND user_id = $2::uuid FOR UPDATE`;

const WRITE = sql`
INSERT INTO notification_settings AS n
  (workspace_id, user_id, alerts, question_minutes, digest, digest_hour, time_zone, digest_due_at)
VALUES ($1::uuid, $2::uuid, $3, $4, $5::digest_frequency, $6, $7, $8::timestamptz)
ON CONFLICT (workspace_id, user_id) DO UPDATE SET alerts = EXCLUDED.alerts, digest = EXCLUDED.digest,
  question_minutes = EXCLUDED.question_minutes, digest_hour = EXCLUDED.digest_hour, time_zone = EXCLUDED.time_zone,
  digest_due_at = EXCLUDED.digest_due_at,
  questions_told_until = CASE WHEN n.question_minutes IS NOT NULL THEN n.questions_told_until
    WHEN n.questions_told_at IS NOT NULL THEN '-infinity' END`;

const DELETE_QUEUED = sql`
DELETE FROM mail_outbox WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND kind::text = ANY($3::text[])`;
