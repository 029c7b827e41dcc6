import type { Execution } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";

/** Who asks, and the caller's own name for the request. */
type Named = { callerId: string; sessionKey: string | null };

/**
 * Finds the execution that the caller opened with the same session key, and lets no other transaction open one
 * until this one ends. Null if there is none.
 */
export async function findRepeated(
  { run, db, ctx: { workspaceId } }: Transaction,
  { callerId: agentId, sessionKey }: Named,
): Promise<Execution | null> {
  if (sessionKey === null) return null;
  await run(LOCK_KEY, [`${workspaceId} ${agentId} ${sessionKey}`]);
  const where = { workspaceId_agentId_sessionKey: { workspaceId, agentId, sessionKey } };
  return db.execution.findUnique({ where });
}

const LOCK_KEY = sql`SELECT pg_advisory_xact_lock(hashtextextended('session key ' || $1, 0))`;
