import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";

/** Revokes all agent tokens of these API keys, and deletes their socket tokens. */
export async function endKeyTokens({ run, db, ctx }: Transaction, apiKeyIds: string[]): Promise<void> {
  await run(UPDATE, [ctx.workspaceId, apiKeyIds]);
  await db.socketToken.deleteMany({ where: { apiKeyId: { in: apiKeyIds } } });
}

const UPDATE = sql`
UPDATE agent_token SET revoked_at = ${NOW}
WHERE workspace_id = $1::uuid AND api_key_id = ANY($2::uuid[]) AND revoked_at IS NULL`;
