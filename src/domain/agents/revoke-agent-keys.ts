import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import type { AppendContent } from "../kernel/events.ts";
import { endKeyTokens } from "./end-key-tokens.ts";

/** The recorded reason. */
const REASON = "agent_deactivated";

/**
 * Revokes the API keys of a locked agent with all tokens that they have minted.
 *
 * @returns what to append.
 * @throws {DomainError} invalid_state if one is the workspace's primary key, which other agents depend on.
 */
export async function revokeAgentKeys(tx: Transaction, agentId: string): Promise<AppendContent> {
  const { run, ctx } = tx;
  const keys = await run(REVOKE, [ctx.workspaceId, agentId, REASON]);
  if (keys.some(({ primary }) => primary)) {
    throw new DomainError(
      "invalid_state",
      "The agent has the workspace's primary API key, which others depend on.",
    );
  }
  if (keys.length === 0) return { events: [] };
  const ids = keys.map(({ id }) => id);
  await endKeyTokens(tx, ids);
  const changes = { reason: REASON };
  return {
    events: ids.map((id) => ({
      type: "api_key.revoked",
      subjectType: "api_key",
      subjectId: id,
      agentId,
      data: changes,
    })),
    audit: ids.map((id) => ({ action: "api_key.revoked", targetType: "api_key", targetId: id, changes })),
    revocations: ids.map((id) => ({ kind: "api_key", subjectId: id, reason: REASON })),
  };
}

const REVOKE = sql<{ id: string; primary: boolean }>`
UPDATE api_key SET revoked_at = ${NOW}, revoked_reason = $3
WHERE workspace_id = $1::uuid AND agent_id = $2::uuid AND revoked_at IS NULL RETURNING id, "primary"`;
