import { randomBytes } from "node:crypto";
import type { Ctx } from "../../src/domain/kernel/context.ts";

/** Gives a person settings for notifications, none of which are wanted, a link that ends some, and an archived item. */
export async function insertNotificationRows({ db, workspaceId }: Ctx, userId: string): Promise<void> {
  await db.notificationSettings.create({ data: { workspaceId, userId } });
  await db.archivedInboxItem.create({
    data: { workspaceId, userId, key: crypto.randomUUID(), archivedAt: new Date() },
  });
  const tokenDigest = new Uint8Array(randomBytes(32));
  const expiresAt = new Date(Date.now() + 86_400_000);
  await db.unsubscribeLink.create({ data: { workspaceId, userId, tokenDigest, topic: "digest", expiresAt } });
}
