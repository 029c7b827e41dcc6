import type { NotificationTopic } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { changeSettings } from "./change-settings.ts";
import { WITHOUT } from "./notification-settings.ts";

/**
 * Ends what the caller is told of by email on a topic. Without a log-in: whoever has an email's link may.
 *
 * @throws {DomainError} forbidden unless the caller is a person; not_found.
 */
export async function endNotifications(ctx: Ctx, topic: NotificationTopic): Promise<void> {
  const { actor } = ctx;
  if (actor.type !== "user") throw new DomainError("forbidden", "Only people can do this.");
  await ctx.transaction((tx) => changeSettings(tx, actor.id, WITHOUT[topic]));
}
