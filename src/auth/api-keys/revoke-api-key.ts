import { NOW, sql } from "../../db/sql.ts";
import { endKeyTokens } from "../../domain/agents/end-key-tokens.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { lockLineage } from "./lock-lineage.ts";

/** The recorded reason. */
const REASON = "revoked";

/**
 * Revokes an API key and every token of its lineage. Other keys of the lineage stay valid. A key that is
 * already revoked doesn't change.
 *
 * @throws {DomainError} forbidden below admin; sudo_required; not_found.
 */
export async function revokeApiKey(ctx: Ctx, apiKeyId: string): Promise<void> {
  requireSudo(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const { key, lineage } = await lockLineage(tx, apiKeyId);
    if (key.revoked) return;
    const others = lineage.filter(({ id }) => id !== apiKeyId).map(({ id }) => id);
    await revoke(tx, apiKeyId);
    await endKeyTokens(tx, [apiKeyId, ...others]);
    const subject = { subjectType: "api_key", subjectId: apiKeyId, agentId: key.agentId };
    append(tx, {
      events: [{ type: "api_key.revoked", ...subject, data: { reason: REASON } }],
      audit: [
        { action: "api_key.revoked", targetType: "api_key", targetId: apiKeyId, changes: { reason: REASON } },
      ],
      revocations: [
        { kind: "api_key", subjectId: apiKeyId, reason: REASON },
        // Nodes remember their tokens by these keys.
        ...others.map((id) => ({ kind: "api_key" as const, subjectId: id, reason: "lineage_revoked" })),
      ],
    });
  }, "urgent");
}

async function revoke({ run, ctx }: Transaction, apiKeyId: string): Promise<void> {
  await run(UPDATE, [ctx.workspaceId, apiKeyId, REASON]);
}

const UPDATE = sql`
UPDATE api_key SET revoked_at = ${NOW}, revoked_reason = $3
WHERE workspace_id = $1::uuid AND id = $2::uuid`;
