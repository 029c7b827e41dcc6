import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireUser } from "../kernel/guard.ts";
import { DEFAULT_SETTINGS, type NotificationSettings } from "./notification-settings.ts";

/**
 * Reads what the caller wants to be told of by email.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function readNotificationSettings(ctx: Ctx): Promise<NotificationSettings> {
  const { id } = requireUser(ctx);
  const [settings = DEFAULT_SETTINGS] = await ctx.read(READ, [ctx.workspaceId, id]);
  return settings;
}

/** The columns of {@link NotificationSettings}. */
export const SETTINGS_COLUMNS = `alerts, question_minutes AS "questionMinutes", digest::text, digest_hour AS "digestHour",
  time_zone AS "timeZone", digest_due_at AS "digestDueAt"`;

const READ = sql<NotificationSettings>`
SELECT ${SETTINGS_COLUMNS} FROM notification_settings WHERE workspace_id = $1::uuid AND user_id = $2::uuid`;
