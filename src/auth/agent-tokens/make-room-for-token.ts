import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError, type HeldToken } from "../../domain/kernel/errors.ts";
import type { AppendContent } from "../../domain/kernel/events.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { endAgentTokens } from "./end-agent-tokens.ts";

/** The token to be minted, and whether the oldest may be revoked to make room. */
type Wanted = { agentId: string; apiKeyId: string; revokesOldest: boolean };

/** How many tokens the error names. */
const NAMED = 10;

/**
 * Makes sure that the agent may have one more token of the key's lineage. Revokes the agent's oldest tokens
 * if `revokesOldest`.
 *
 * @returns what to append for the revoked tokens.
 * @throws {DomainError} token_limit; names the oldest tokens.
 */
export async function makeRoomForToken(
  tx: Transaction,
  { agentId, apiKeyId, revokesOldest }: Wanted,
): Promise<Required<Pick<AppendContent, "events" | "audit" | "revocations">>> {
  const { run, ctx } = tx;
  const values = [ctx.workspaceId, agentId, apiKeyId];
  const [counted] = await run(COUNT, values);
  const excess = (counted?.count ?? 0) - LIMITS.liveTokensPerAgent + 1;
  if (excess <= 0) return { events: [], audit: [], revocations: [] };
  const take = revokesOldest ? excess : NAMED;
  const oldest = await run(OLDEST, [...values, take]);
  if (revokesOldest)
    return endAgentTokens(
      tx,
      oldest.map(({ id }) => id),
    );
  throw new DomainError(
    "token_limit",
    `This agent has ${LIMITS.liveTokensPerAgent} valid tokens of this key, the maximum. Revoke unused tokens (the oldest are listed here), or mint with the option to revoke the oldest.`,
    { tokens: oldest },
  );
}

/** Their expiry is never null, and compared so that the index on it is used. */
const ACTIVE_TOKENS = `
FROM agent_token t
JOIN api_key k ON k.workspace_id = t.workspace_id AND k.id = t.api_key_id
JOIN api_key own ON own.workspace_id = k.workspace_id AND own.lineage_id = k.lineage_id AND own.id = $3::uuid
WHERE t.workspace_id = $1::uuid AND t.agent_id = $2::uuid AND t.revoked_at IS NULL
  AND t.expires_at > ${NOW}`;

const COUNT = sql<{ count: number }>`SELECT count(*)::int AS count ${ACTIVE_TOKENS}`;

const OLDEST = sql<HeldToken>`
SELECT t.id, t.name, t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt"
${ACTIVE_TOKENS} ORDER BY t.created_at, t.id LIMIT $4::int`;
