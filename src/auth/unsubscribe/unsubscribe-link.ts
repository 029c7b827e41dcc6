import type { NotificationTopic } from "../../db/generated/enums.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { hashSecret } from "../credentials.ts";
import { createLinkToken } from "../emails/link.ts";

/** The page that ends emails, without the token. */
const PATH = "/users/unsubscribe/";

/** A new link. Its token is only in `path`, the page that it opens. */
export type MintedUnsubscribeLink = { path: string; digest: Uint8Array<ArrayBuffer> };

/** Mints a link that ends the emails of a topic to a person. Only the SHA-256 of its token is stored. */
export async function mintUnsubscribeLink(
  ctx: Ctx,
  { userId, topic }: { userId: string; topic: NotificationTopic },
): Promise<MintedUnsubscribeLink> {
  const token = createLinkToken();
  const digest = hashSecret(token);
  await ctx.services.database.run(INSERT, [ctx.workspaceId, digest, userId, topic, ctx.now]);
  return { path: PATH + token, digest };
}

const INSERT = sql`
INSERT INTO unsubscribe_link (workspace_id, token_digest, user_id, topic, expires_at)
VALUES ($1::uuid, $2, $3::uuid, $4::notification_topic, ${NOW} + interval '${LIMITS.unsubscribeLinkDays} days')`;

/** Deletes a link that was never sent. */
export async function dropUnsubscribeLink(ctx: Ctx, { digest }: MintedUnsubscribeLink): Promise<void> {
  await ctx.db.unsubscribeLink.deleteMany({ where: { workspaceId: ctx.workspaceId, tokenDigest: digest } });
}
