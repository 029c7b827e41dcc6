import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { Revocation } from "../../domain/kernel/revocation.ts";

/** Revokes all access tokens of a workload's trust, and their socket tokens. @returns what to append. */
export async function endTrustTokens(
  { run, db, ctx }: Transaction,
  trustId: string,
  reason: string,
): Promise<Revocation[]> {
  await run(UPDATE, [ctx.workspaceId, trustId]);
  await db.socketToken.deleteMany({ where: { trustId } });
  return [{ kind: "workload_trust", subjectId: trustId, reason }];
}

const UPDATE = sql`
UPDATE agent_token SET revoked_at = ${NOW}
WHERE workspace_id = $1::uuid AND trust_id = $2::uuid AND revoked_at IS NULL AND expires_at > ${NOW}`;
