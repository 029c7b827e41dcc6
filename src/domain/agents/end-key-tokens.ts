import type { Transaction } from "../kernel/context.ts";

/** Ends every agent token that stands on one of these API keys, and takes away their socket tokens. */
export async function endKeyTokens({ db, ctx }: Transaction, apiKeyIds: string[]): Promise<void> {
  await db.$queryRawUnsafe(
    `UPDATE agent_token SET revoked_at = COALESCE($3::timestamptz, now())
     WHERE workspace_id = $1::uuid AND api_key_id = ANY($2::uuid[]) AND revoked_at IS NULL`,
    ...[ctx.workspaceId, apiKeyIds, ctx.now],
  );
  await db.socketToken.deleteMany({ where: { apiKeyId: { in: apiKeyIds } } });
}
