import type { NotificationTopic } from "../../db/generated/enums.ts";
import { NOW, sql } from "../../db/sql.ts";
import { maskEmail } from "../../domain/emails/mask-email.ts";
import type { Role } from "../../domain/kernel/scopes.ts";
import { endNotifications } from "../../domain/notifications/end-notifications.ts";
import { createSessionlessCtx } from "../create-sessionless-ctx.ts";
import type { LinkServices } from "../emails/find-link.ts";
import { hashLinkToken } from "../emails/link.ts";
import type { ClientInfo } from "../sessions/client-info.ts";

/** The emails that a link ends. `email` is masked: whoever has the link need not be their reader. */
export type Unsubscription = { topic: NotificationTopic; email: string; workspaceName: string };

/** Looks up an email's link. Null if it is not valid. */
export async function readUnsubscription(
  services: LinkServices,
  token: string,
): Promise<Unsubscription | null> {
  const link = await find(services, token);
  return link && toUnsubscription(link);
}

/**
 * Ends the emails of a link's topic to its person. The link stays valid, so that it can be opened again.
 *
 * @returns null if the link is not valid.
 */
export async function unsubscribe(
  services: LinkServices,
  token: string,
  seen: ClientInfo,
): Promise<Unsubscription | null> {
  const link = await find(services, token);
  if (link === null) return null;
  await endNotifications(createSessionlessCtx(services, { ...link, id: link.userId }, seen), link.topic);
  return toUnsubscription(link);
}

function toUnsubscription({ topic, workspaceName, email }: Link): Unsubscription {
  return { topic, workspaceName, email: email === null ? "" : maskEmail(email) };
}

type Link = {
  topic: NotificationTopic;
  workspaceId: string;
  workspaceName: string;
  userId: string;
  name: string;
  email: string | null;
  role: Role;
};

async function find({ database, now }: LinkServices, token: string): Promise<Link | null> {
  const digest = hashLinkToken(token);
  if (digest === null) return null;
  const [link] = await database.run(FIND, [digest, now]);
  return link ?? null;
}

const FIND = sql<Link>`
SELECT l.topic::text, l.workspace_id AS "workspaceId", w.name AS "workspaceName", l.user_id AS "userId",
  COALESCE(u.name, u.email, u.user_name, '') AS name, u.email, u.role::text
FROM unsubscribe_link l
JOIN "user" u ON u.workspace_id = l.workspace_id AND u.id = l.user_id
JOIN workspace w ON w.id = l.workspace_id
WHERE l.token_digest = $1 AND l.expires_at > ${NOW} AND u.deleted_at IS NULL AND w.suspended_at IS NULL`;
