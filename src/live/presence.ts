import type { LiveDatabase } from "../db/notifications.ts";
import type { Connection } from "./connections.ts";

/**
 * Notes that every agent with a socket here is seen at this moment, in one statement. It locks them in the
 * order of their ids, as everybody does who locks many.
 */
export async function noteConnected(
  { database, now }: { database: LiveDatabase; now: Date | null },
  connections: Iterable<Connection>,
): Promise<void> {
  const agents = new Map<string, string>();
  for (const { identity } of connections) {
    if (identity?.kind === "agent") agents.set(identity.agentId, identity.workspaceId);
  }
  if (agents.size > 0) await database.read(SEEN, [[...agents.values()], [...agents.keys()], now]);
}

const SEEN = {
  name: "live_seen",
  text: `
WITH seen AS (
  SELECT a.workspace_id, a.id FROM unnest($1::uuid[], $2::uuid[]) AS s(workspace_id, id)
  JOIN agent a ON a.workspace_id = s.workspace_id AND a.id = s.id
  ORDER BY a.id FOR NO KEY UPDATE OF a
)
UPDATE agent a SET last_seen_at = COALESCE($3::timestamptz, now())
FROM seen WHERE a.workspace_id = seen.workspace_id AND a.id = seen.id`,
};
