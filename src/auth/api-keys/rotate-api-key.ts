import { NOW, sql } from "../../db/sql.ts";
import { z } from "zod";
import type { ApiKey } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { parseInput, wholeNumber } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { isScope } from "../../domain/kernel/scopes.ts";
import { lockKeyAgent } from "../lock-agent.ts";
import { insertApiKey } from "./insert-api-key.ts";
import { type LockedKey, lockActiveKey } from "./lock-lineage.ts";
import { lockCreator } from "./lock-creator.ts";
import { requireFuture } from "./require-future.ts";

const { keyOverlapSeconds } = LIMITS;

const shape = z.object({
  overlapSeconds: wholeNumber(keyOverlapSeconds).default(keyOverlapSeconds.default),
  expiresAt: z.date().nullish(),
});

/**
 * Creates a key that replaces another, with the same agent, name, scopes and addresses. It expires when the
 * old key would, unless `expiresAt` is given. The old key stays valid for the overlap (a day by default),
 * but not past its own expiry. Its tokens now belong to the new key.
 *
 * @returns the new key's row, and `secret`, the whole key, returned only here.
 * @throws {DomainError} forbidden below admin; sudo_required; not_found; invalid_state if the key is
 *   revoked, expired or already rotated, or its agent is archived; validation_failed.
 */
export async function rotateApiKey(
  ctx: Ctx,
  apiKeyId: string,
  input: z.input<typeof shape> = {},
): Promise<{ apiKey: ApiKey; secret: string }> {
  requireSudo(ctx, "admin");
  const { overlapSeconds, expiresAt } = parseInput(shape, input);
  const urgency = overlapSeconds === 0 ? "urgent" : "usual";
  return ctx.transaction(async (tx) => {
    await lockCreator(tx);
    await lockKeyAgent(tx, apiKeyId);
    const old = await lockActiveKey(tx, apiKeyId);
    if (old.rotatedToId !== null)
      throw new DomainError("invalid_state", "The key was already rotated. Rotate the key that replaced it.");
    await requireFuture(tx, expiresAt);
    const made = await insertSuccessor(tx, old, expiresAt ?? old.expiresAt);
    await endAfter(tx, old.id, { successorId: made.apiKey.id, overlapSeconds });
    const { agentId } = old;
    const changes = { rotated_to_id: made.apiKey.id, overlap_seconds: overlapSeconds };
    append(tx, {
      events: [
        {
          type: "api_key.created",
          subjectType: "api_key",
          subjectId: made.apiKey.id,
          agentId,
          data: { name: old.name, scopes: old.scopes },
        },
        {
          type: "api_key.rotated",
          subjectType: "api_key",
          subjectId: old.id,
          agentId,
          data: { rotated_to_id: made.apiKey.id },
        },
      ],
      audit: [{ action: "api_key.rotated", targetType: "api_key", targetId: old.id, changes }],
      revocations: overlapSeconds === 0 ? [{ kind: "api_key", subjectId: old.id, reason: "rotated" }] : [],
    });
    return made;
  }, urgency);
}

async function insertSuccessor(
  tx: Transaction,
  { id, agentId, lineageId, name, primary, scopes, ipAllowlist }: LockedKey,
  expiresAt: Date | null,
): Promise<{ apiKey: ApiKey; secret: string }> {
  // A workspace has at most one valid primary key, so the old one loses this first.
  await tx.db.apiKey.updateMany({ where: { id }, data: { primary: false } });
  const kept = { agentId, lineageId, name, primary, scopes: scopes.filter(isScope), ipAllowlist };
  return insertApiKey(tx, { ...kept, expiresAt });
}

async function endAfter(
  { run, db, ctx }: Transaction,
  apiKeyId: string,
  { successorId, overlapSeconds }: { successorId: string; overlapSeconds: number },
): Promise<void> {
  await run(UPDATE, [ctx.workspaceId, apiKeyId, successorId, overlapSeconds]);
  const successor = { where: { apiKeyId }, data: { apiKeyId: successorId } };
  await db.agentToken.updateMany(successor);
  await db.socketToken.updateMany(successor);
}

const UPDATE = sql`
UPDATE api_key SET rotated_to_id = $3::uuid,
  expires_at = LEAST(expires_at, ${NOW} + make_interval(secs => $4::int)),
  revoked_at = CASE WHEN $4::int = 0 THEN ${NOW} END,
  revoked_reason = CASE WHEN $4::int = 0 THEN 'rotated' END
WHERE workspace_id = $1::uuid AND id = $2::uuid`;
