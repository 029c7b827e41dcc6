import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { AppendContent } from "../../domain/kernel/events.ts";

/**
 * Revokes agent tokens and every socket token that they minted. Tokens that are already revoked don't
 * change.
 *
 * @returns what to append at the end of the transaction.
 */
export async function endAgentTokens(
  { run, db, ctx }: Transaction,
  ids: readonly string[],
): Promise<Required<Pick<AppendContent, "events" | "audit" | "revocations">>> {
  const ended = await run(UPDATE, [ctx.workspaceId, ids]);
  if (ended.length > 0)
    await db.socketToken.deleteMany({ where: { agentTokenId: { in: ended.map(({ id }) => id) } } });
  const type = "agent_token.revoked";
  return {
    events: ended.map(({ id, agentId }) => ({
      type,
      subjectType: "agent_token",
      subjectId: id,
      agentId,
    })),
    audit: ended.map(({ id }) => ({ action: type, targetType: "agent_token", targetId: id })),
    revocations: ended.map(({ id }) => ({ kind: "agent_token", subjectId: id, reason: "revoked" })),
  };
}

const UPDATE = sql<{ id: string; agentId: string }>`
UPDATE agent_token SET revoked_at = ${NOW}
WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[]) AND revoked_at IS NULL
RETURNING id, agent_id AS "agentId"`;
