import { sql } from "../db/sql.ts";
import type { AgentKind } from "../db/generated/enums.ts";
import type { Transaction } from "../domain/kernel/context.ts";
import { DomainError, createFieldError } from "../domain/kernel/errors.ts";

/** An agent's current row, locked. */
export type NamedAgent = { id: string; kind: AgentKind; isArchived: boolean };

/**
 * Locks the agent with a handle, before any of its credentials: a concurrent archiving waits for the new
 * credential, which it may have to revoke, or prevents it. Returns null for an unknown handle.
 */
export async function lockNamedAgent({ run, ctx }: Transaction, handle: string): Promise<NamedAgent | null> {
  const [agent] = await run(LOCK, [ctx.workspaceId, handle]);
  return agent ?? null;
}

/**
 * Rejects an archived agent, which gets no credentials. `field` is the input that has its handle.
 *
 * @throws {DomainError} validation_failed.
 */
export function requireNotArchived({ isArchived }: NamedAgent, field: string): void {
  if (isArchived) throw createFieldError(field, "is the handle of an archived agent");
}

/**
 * Locks the agent of an API key like {@link lockNamedAgent}. Does nothing for an unknown key.
 *
 * @throws {DomainError} invalid_state if it is archived.
 */
export async function lockKeyAgent({ run, ctx }: Transaction, apiKeyId: string): Promise<void> {
  const [agent] = await run(LOCK_OF_KEY, [ctx.workspaceId, apiKeyId]);
  if (agent?.isArchived === true) throw new DomainError("invalid_state", "The key's agent is archived.");
}

/**
 * Locks an agent like {@link lockNamedAgent}.
 *
 * @throws {DomainError} invalid_state if it is archived.
 */
export async function lockLiveAgent({ run, ctx }: Transaction, agentId: string): Promise<void> {
  const [agent] = await run(LOCK_BY_ID, [ctx.workspaceId, agentId]);
  if (agent?.isArchived !== false) throw new DomainError("invalid_state", "The agent is archived.");
}

// Not FOR SHARE: a stream of such locks would keep a write of the agent, such as a stop, from ever getting it.
const LOCK = sql<NamedAgent>`
SELECT id, kind::text, archived_at IS NOT NULL AS "isArchived"
FROM agent WHERE workspace_id = $1::uuid AND handle = $2 FOR NO KEY UPDATE`;

const LOCK_OF_KEY = sql<Pick<NamedAgent, "isArchived">>`
SELECT a.archived_at IS NOT NULL AS "isArchived"
FROM agent a JOIN api_key k ON k.workspace_id = a.workspace_id AND k.agent_id = a.id
WHERE k.workspace_id = $1::uuid AND k.id = $2::uuid FOR NO KEY UPDATE OF a`;

const LOCK_BY_ID = sql<Pick<NamedAgent, "isArchived">>`
SELECT archived_at IS NOT NULL AS "isArchived"
FROM agent WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;
