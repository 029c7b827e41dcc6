import { NOW, sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { buildValidSql, getOwnValidity } from "../../domain/credentials/validity-sql.ts";
import type { ScimToken } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { DomainError, createNotFoundError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { getFixedTimes } from "../../domain/kernel/get-fixed-times.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { name, parseInput, wholeNumber } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { createToken } from "../credentials.ts";

/** An identity provider changes from one token to the next. A third would go unnoticed. */
const MAX_ACTIVE_TOKENS = 2;

const shape = z.object({
  label: name(LIMITS.nameLength).nullish(),
  overlapSeconds: wholeNumber(LIMITS.scimOverlapSeconds).default(LIMITS.scimOverlapSeconds.default),
});

/**
 * Creates a SCIM token that replaces the previous one. The previous token stays valid for the overlap, an
 * hour by default; an overlap of 0 revokes all others immediately. For owners, because a SCIM token can
 * change owners.
 *
 * @returns the token's row, and `secret`, the whole token, returned only here.
 * @throws {DomainError} forbidden below owner; sudo_required; validation_failed; token_limit while two
 *   tokens are valid.
 */
export async function rotateScimToken(
  ctx: Ctx,
  input: z.input<typeof shape> = {},
): Promise<{ scimToken: ScimToken; secret: string }> {
  requireSudo(ctx, "owner");
  const { label, overlapSeconds } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const ended = await endOthers(tx, overlapSeconds);
    const { scimToken, secret } = await insertScimToken(tx, label ?? null);
    const target = { targetType: "scim_token", targetId: scimToken.id };
    append(tx, {
      events: [{ type: "scim_token.rotated", subjectType: "scim_token", subjectId: scimToken.id }],
      audit: [{ action: "scim_token.rotated", ...target, changes: { overlap_seconds: overlapSeconds } }],
      revocations: ended.map((id) => ({
        kind: "scim_token",
        subjectId: id,
        reason: "rotated",
      })),
    });
    return { scimToken, secret };
  }, "urgent");
}

/** Inserts a SCIM token. `secret` is returned here and stored nowhere. */
export async function insertScimToken(
  { db, ctx }: Transaction,
  label: string | null,
): Promise<{ scimToken: ScimToken; secret: string }> {
  const { secret, digest, last4 } = createToken("scim_token");
  const scimToken = await db.scimToken.create({
    data: {
      workspaceId: ctx.workspaceId,
      id: uuidv7(),
      digest,
      last4,
      label,
      ...getFixedTimes(ctx, "createdAt"),
    },
  });
  return { scimToken, secret };
}

/**
 * Lets the valid tokens expire after the overlap. @returns the ids of those that were revoked immediately.
 */
async function endOthers({ run, ctx }: Transaction, overlapSeconds: number): Promise<string[]> {
  // The workspace's row is the lock for counting tokens.
  const [workspace] = await run(LOCK, [ctx.workspaceId]);
  if (workspace === undefined) throw createNotFoundError("workspace");
  const active = await run(READ, [ctx.workspaceId]);
  if (overlapSeconds > 0 && active.length >= MAX_ACTIVE_TOKENS) {
    throw new DomainError(
      "token_limit",
      "Two SCIM tokens are valid. Wait until the older one expires, or rotate with an overlap of 0.",
    );
  }
  await run(UPDATE, [ctx.workspaceId, overlapSeconds, active.map(({ id }) => id)]);
  return overlapSeconds === 0 ? active.map(({ id }) => id) : [];
}

const LOCK = sql<{ id: string }>`SELECT id FROM workspace WHERE id = $1::uuid FOR NO KEY UPDATE`;

const READ = sql<{ id: string }>`
SELECT id FROM scim_token WHERE workspace_id = $1::uuid AND ${buildValidSql(getOwnValidity())}`;

const UPDATE = sql`
UPDATE scim_token SET
  expires_at = LEAST(expires_at, ${NOW} + make_interval(secs => $2::int)),
  revoked_at = CASE WHEN $2::int = 0 THEN ${NOW} END
WHERE workspace_id = $1::uuid AND id = ANY($3::uuid[])`;
