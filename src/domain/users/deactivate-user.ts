import { NOW, sql } from "../../db/sql.ts";
import { endKeyTokens } from "../agents/end-key-tokens.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { forgetMember } from "../directory/forget-member.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { requireRank, requireSudo } from "../kernel/guard.ts";
import type { Revocation } from "../kernel/revocation.ts";
import { type LockedUser, lockLeavingUser } from "./lock-user.ts";

/** The status after a deactivation. */
export type DeactivationStatus = "suspended" | "deleted";

/**
 * Ends a person's access immediately: suspends the user and deletes all sessions, reset links, email change
 * links and invitations. API keys that the person created stay valid, unless the workspace is set to revoke
 * them. Nothing changes if the person is already suspended.
 *
 * @throws {DomainError} forbidden below admin, and for an admin who suspends an owner; sudo_required;
 *   not_found; invalid_state for the last owner.
 */
export async function deactivateUser(ctx: Ctx, userId: string): Promise<void> {
  if (ctx.actor.type !== "scim") requireSudo(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const user = await lockLeavingUser(tx, userId);
    requireRank(ctx, user.role);
    if (user.suspendedAt !== null) return;
    append(tx, await deactivateInTransaction(tx, user, "suspended"));
  }, "urgent");
}

/**
 * The part of a deactivation in the caller's transaction, which has locked the person by {@link
 * lockLeavingUser}. Of a deleted person only the row is kept, for the history: without address, user name,
 * groups and what the person wanted to be told of.
 *
 * @returns what the caller must append.
 */
export async function deactivateInTransaction(
  tx: Transaction,
  user: LockedUser,
  status: DeactivationStatus,
): Promise<Required<AppendContent>> {
  const { run, db, ctx } = tx;
  const gone = status === "deleted";
  await run(UPDATE, [ctx.workspaceId, user.id, gone]);
  await db.userToken.deleteMany({ where: { userId: user.id } });
  await db.mailOutbox.deleteMany({ where: { userId: user.id } });
  if (gone) {
    await deleteFactors(tx, user.id);
    await db.notificationSettings.deleteMany({ where: { userId: user.id } });
    await db.unsubscribeLink.deleteMany({ where: { userId: user.id } });
  }
  const reason = `creator_${status}`;
  const revokedKeys = await revokeCreatedKeys(tx, user.id, reason);
  const type = `user.${status}`;
  const target = { targetType: "user", targetId: user.id };
  const batch: AppendContent = {
    events: [
      { type, subjectType: "user", subjectId: user.id, data: { generation: user.generation + 1 } },
      ...revokedKeys.map(({ id, agentId }) => ({
        type: "api_key.revoked",
        subjectType: "api_key",
        subjectId: id,
        agentId,
        data: { reason },
      })),
    ],
    totals: [{ collection: "users", from: null, ...(!gone && { to: null }) }],
    audit: [{ action: type, ...target, changes: { revoked_api_keys: revokedKeys.map(({ id }) => id) } }],
    revocations: [
      { kind: "user", subjectId: user.id, reason: `user_${status}` },
      ...revokedKeys.map(({ id }): Revocation => ({ kind: "api_key", subjectId: id, reason })),
      // Tokens of keys that were rotated to these depend on them.
      ...revokedKeys.flatMap(({ siblings }) =>
        siblings.map((id): Revocation => ({ kind: "api_key", subjectId: id, reason: "lineage_changed" })),
      ),
    ],
  };
  return gone ? mergeAppends(batch, await forgetMember(tx, user.id)) : mergeAppends(batch);
}

async function deleteFactors({ db }: Transaction, userId: string): Promise<void> {
  await db.totpFactor.deleteMany({ where: { userId } });
  await db.passkey.deleteMany({ where: { userId } });
  await db.recoveryCode.deleteMany({ where: { userId } });
}

const UPDATE = sql`
UPDATE "user" SET suspended_at = COALESCE(suspended_at, ${NOW}),
  deleted_at = CASE WHEN $3 THEN ${NOW} END,
  email = CASE WHEN $3 THEN NULL ELSE email END, user_name = CASE WHEN $3 THEN NULL ELSE user_name END,
  hashed_password = CASE WHEN $3 THEN NULL ELSE hashed_password END,
  second_factor_at = CASE WHEN $3 THEN NULL ELSE second_factor_at END,
  updated_at = ${NOW}, auth_epoch = auth_epoch + 1, generation = generation + 1
WHERE workspace_id = $1::uuid AND id = $2::uuid`;

/** `siblings` are the other keys of its lineage. */
type RevokedKey = { id: string; agentId: string; siblings: string[] };

/** Revokes the API keys that the person created, with their tokens, if the workspace is set to. */
async function revokeCreatedKeys(tx: Transaction, userId: string, reason: string): Promise<RevokedKey[]> {
  const { run, ctx } = tx;
  const revoked = await run(UPDATE_API_KEY, [ctx.workspaceId, userId, reason]);
  const ids = revoked.map(({ id }) => id);
  if (ids.length > 0) await endKeyTokens(tx, ids);
  return revoked;
}

/** Locks the root of each lineage first, as mints do. */
const UPDATE_API_KEY = sql<RevokedKey>`
WITH created AS MATERIALIZED (
  SELECT k.id FROM api_key k JOIN workspace w ON w.id = k.workspace_id AND w.revokes_keys_of_suspended_creator
  WHERE k.workspace_id = $1::uuid AND k.created_by ->> 'id' = $2 AND k.revoked_at IS NULL AND NOT k.primary
  ORDER BY k.lineage_id, k.id <> k.lineage_id, k.id FOR NO KEY UPDATE OF k
)
UPDATE api_key k SET revoked_at = ${NOW}, revoked_reason = $3
FROM created WHERE k.workspace_id = $1::uuid AND k.id = created.id
RETURNING k.id, k.agent_id AS "agentId", ARRAY(SELECT s.id FROM api_key s
  WHERE s.workspace_id = k.workspace_id AND s.lineage_id = k.lineage_id AND s.id <> k.id) AS siblings`;
