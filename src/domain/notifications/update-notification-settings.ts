import type { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireUser } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { changeSettings } from "./change-settings.ts";
import { type NotificationSettings, notificationChanges } from "./notification-settings.ts";

/**
 * Changes what the caller is told of by email. What is left out doesn't change.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed.
 */
export async function updateNotificationSettings(
  ctx: Ctx,
  input: z.input<typeof notificationChanges>,
): Promise<NotificationSettings> {
  const { id } = requireUser(ctx);
  const wanted = parseInput(notificationChanges, input);
  return ctx.transaction((tx) => changeSettings(tx, id, wanted));
}
