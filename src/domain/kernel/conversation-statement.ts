import { sql } from "../../db/sql.ts";
import type { ConversationChange } from "./events.ts";

/** A change of a conversation, as the statement takes it. */
type SerializedChange = { context_id: string; messages: number };

/** Sums the changes of each conversation. */
export function sumConversations(changes: readonly ConversationChange[]): SerializedChange[] {
  const sums = new Map<string, number>();
  for (const { contextId, messages } of changes) sums.set(contextId, (sums.get(contextId) ?? 0) + messages);
  return [...sums].map(([context_id, messages]) => ({ context_id, messages }));
}

/**
 * Brings conversations up to their messages; one that has none is deleted. $1 workspace, $2 changes. A statement of
 * its own behind the one that locks the workspace's head: it sees what everybody before has written, and nobody
 * changes the same conversation at the same time.
 */
export const WRITE_CONVERSATIONS = sql`
WITH changed AS MATERIALIZED (
  SELECT c.context_id, c.messages, l.id, l.created_at, EXISTS (
    SELECT FROM message w WHERE w.workspace_id = $1::uuid AND w.context_id = c.context_id AND w.waiting) AS waiting
  FROM jsonb_to_recordset($2::jsonb) AS c(context_id uuid, messages int) LEFT JOIN LATERAL (
    SELECT id, created_at FROM message m WHERE m.workspace_id = $1::uuid AND m.context_id = c.context_id
    ORDER BY created_at DESC, id DESC LIMIT 1
  ) l ON true
), emptied AS (
  DELETE FROM conversation k USING changed c
  WHERE k.workspace_id = $1::uuid AND k.context_id = c.context_id AND c.id IS NULL
)
INSERT INTO conversation AS kept (workspace_id, context_id, last_message_id, last_message_at, message_count, waiting)
SELECT $1::uuid, context_id, id, created_at, messages, waiting FROM changed WHERE id IS NOT NULL
ON CONFLICT (workspace_id, context_id) DO UPDATE SET
  last_message_id = EXCLUDED.last_message_id, last_message_at = EXCLUDED.last_message_at,
  message_count = kept.message_count + EXCLUDED.message_count, waiting = EXCLUDED.waiting`;
