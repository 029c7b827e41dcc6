import { sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import type { Services } from "../../domain/kernel/services.ts";
import type { Role } from "../../domain/kernel/scopes.ts";
import { createSessionlessCtx } from "../create-sessionless-ctx.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { type LinkContext, IS_LINK_VALID, hashLinkToken } from "./link.ts";

/** The services that links need. */
export type LinkServices = Services & {
  /** Null in production: PostgreSQL's now() applies. */
  now: Date | null;
};

/** A valid link and its person. */
export type Link = {
  context: LinkContext;
  digest: Uint8Array<ArrayBuffer>;
  id: string;
  workspaceId: string;
  workspaceName: string;
  userId: string;
  email: string | null;
  name: string;
  role: Role;
};

/** Looks up a mailed link by its token. Returns null if it is not valid. Writes nothing. */
export async function findLink(
  { database, now }: LinkServices,
  context: LinkContext,
  token: string,
): Promise<Link | null> {
  const digest = hashLinkToken(token);
  if (digest === null) return null;
  const [row] = await database.run(FIND, [context, digest, now]);
  return row === undefined ? null : { ...row, context, digest };
}

const FIND = sql<Omit<Link, "context" | "digest">>`
SELECT t.id, t.workspace_id AS "workspaceId", w.name AS "workspaceName", t.user_id AS "userId", u.email,
  COALESCE(u.name, u.email, u.user_name, '') AS name, u.role::text
FROM users_tokens t
JOIN "user" u ON u.workspace_id = t.workspace_id AND u.id = t.user_id
JOIN workspace w ON w.id = t.workspace_id
WHERE t.context = $1::user_token_context AND t.token_digest = $2 AND ${IS_LINK_VALID}`;

/** Creates the context for opening a link: the person it was sent to, not logged in. */
export function openLinkCtx(services: LinkServices, link: Link, seen: ClientInfo): Ctx {
  return createSessionlessCtx(services, { ...link, id: link.userId }, seen);
}
