import { NOW, sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { hashSecret } from "../credentials.ts";
import { MAY_USE_PASSWORD } from "../oidc/password-use.ts";
import { LINK_PATHS, type LinkContext, createLinkToken } from "./link.ts";

/** The recipient of an email, as currently stored. */
export type Recipient = {
  email: string | null;
  /** Lower-cased by PostgreSQL. */
  lowerEmail: string | null;
  name: string | null;
  authEpoch: number;
  workspaceName: string;
};

/** A link to be minted and mailed. */
export type LinkOrder = {
  userId: string;
  context: LinkContext;
  /** Null for the person's current address. */
  sentTo: string | null;
  /** Called with the person locked: whether the link is still needed. */
  isDue: (tx: Transaction, recipient: Recipient) => Promise<boolean>;
};

/** A new link. Its token is only in `path`, the page that it opens. */
export type MintedLink = { id: string; path: string; sentTo: string; recipient: Recipient };

const LIFE = {
  reset_password: `${LIMITS.resetLinkMinutes} minutes`,
  email_change: `${LIMITS.emailChangeHours} hours`,
  invitation: `${LIMITS.invitationDays} days`,
} as const satisfies Record<LinkContext, string>;

/**
 * Mints a link for a person who may log in. Only the SHA-256 of its token is stored. Other links don't
 * change.
 *
 * @returns null if the person may not log in, or not with the password that the link would set, or if the link is not
 *   needed any more.
 */
export async function mintLink(ctx: Ctx, order: LinkOrder): Promise<MintedLink | null> {
  return ctx.transaction(async (tx) => {
    const recipient = await shareRecipient(tx, order);
    if (recipient === null || !(await order.isDue(tx, recipient))) return null;
    const sentTo = order.sentTo ?? recipient.email;
    if (sentTo === null) return null;
    const token = createLinkToken();
    const id = uuidv7();
    const { userId, context } = order;
    const whose = [ctx.workspaceId, id, userId, context, hashSecret(token), sentTo];
    await tx.run(INSERT, [...whose, recipient.authEpoch, LIFE[context]]);
    return { id, path: LINK_PATHS[order.context] + token, sentTo, recipient };
  });
}

const INSERT = sql`
INSERT INTO users_tokens (workspace_id, id, user_id, context, token_digest, sent_to, auth_epoch, created_at, expires_at)
SELECT $1::uuid, $2::uuid, $3::uuid, $4::user_token_context, $5, $6, $7, at, at + $8::interval FROM (SELECT ${NOW} AS at) c`;

/**
 * Locks the person in share mode. Whatever invalidates links locks the person exclusively, so it sees every
 * link or runs before it.
 */
async function shareRecipient(
  { run, ctx }: Transaction,
  { userId, context }: LinkOrder,
): Promise<Recipient | null> {
  const [recipient] = await run(LOCK, [ctx.workspaceId, userId, context]);
  return recipient ?? null;
}

const LOCK = sql<Recipient>`
SELECT u.email, lower(u.email) AS "lowerEmail", u.name, u.auth_epoch AS "authEpoch", w.name AS "workspaceName"
FROM "user" u JOIN workspace w ON w.id = u.workspace_id
WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid AND u.suspended_at IS NULL AND u.deleted_at IS NULL
  AND w.suspended_at IS NULL AND ($3::text = 'email_change' OR ${MAY_USE_PASSWORD})
FOR SHARE OF u`;

/** Deletes a link that was never sent. */
export async function dropLink(ctx: Ctx, { id }: Pick<MintedLink, "id">): Promise<void> {
  await ctx.db.userToken.deleteMany({ where: { id } });
}
