import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError, type HeldToken } from "../../domain/kernel/errors.ts";
import type { AppendContent } from "../../domain/kernel/events.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { endAgentTokens } from "./end-agent-tokens.ts";

/** For whom a token is to be minted, by which key, and whether older ones may end for it. */
type Wanted = { agentId: string; apiKeyId: string; revokesOldest: boolean };

/** How many tokens a refusal names. */
const NAMED = 10;

/**
 * Makes sure that an agent may have one token more of a key, or of those that the key was rotated from and to. The
 * agent's oldest ones end where that is wanted.
 *
 * @returns what is to be told of those that ended.
 * @throws {DomainError} token_limit, which names the oldest.
 */
export async function makeRoomForToken(
  tx: Transaction,
  { agentId, apiKeyId, revokesOldest }: Wanted,
): Promise<Required<Omit<AppendContent, "totals">>> {
  const { db, ctx } = tx;
  const values = [ctx.workspaceId, agentId, apiKeyId, ctx.now];
  const [held] = await db.$queryRawUnsafe<{ count: number }[]>(COUNT, ...values);
  const excess = (held?.count ?? 0) - LIMITS.liveTokensPerAgent + 1;
  if (excess <= 0) return { events: [], audit: [], revocations: [] };
  const take = revokesOldest ? excess : NAMED;
  const oldest = await db.$queryRawUnsafe<HeldToken[]>(OLDEST, ...values, take);
  if (revokesOldest)
    return endAgentTokens(
      tx,
      oldest.map(({ id }) => id),
    );
  throw new DomainError(
    "token_limit",
    `This agent has ${LIMITS.liveTokensPerAgent} living tokens of this key, as many as it may. Revoke those that nobody uses (here are the oldest), or have the oldest revoked for the one that you mint.`,
    { tokens: oldest },
  );
}

const ACTIVE_TOKENS = `
FROM agent_token t
JOIN api_key k ON k.workspace_id = t.workspace_id AND k.id = t.api_key_id
JOIN api_key own ON own.workspace_id = k.workspace_id AND own.lineage_id = k.lineage_id AND own.id = $3::uuid
WHERE t.workspace_id = $1::uuid AND t.agent_id = $2::uuid AND t.revoked_at IS NULL
  AND t.expires_at > COALESCE($4::timestamptz, now())`;

const COUNT = `SELECT count(*)::int AS count ${ACTIVE_TOKENS}`;

const OLDEST = `
SELECT t.id, t.name, t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt"
${ACTIVE_TOKENS} ORDER BY t.created_at, t.id LIMIT $5::int`;
