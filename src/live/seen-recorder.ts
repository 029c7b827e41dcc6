import { NOW, sql } from "../db/sql.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { LiveConnection } from "./connections.ts";

/** Records which agents are connected. */
export type SeenRecorder = {
  /** Records soon that these agents are connected. */
  note: (connections: Iterable<LiveConnection>) => void;
  /** Waits until everything is recorded. */
  flush: () => Promise<void>;
};

/** The least interval. Changes in between are recorded together. */
const GAP_MS = 100;

/** Runs one statement at a time: agents that connect together are recorded together, over one connection. */
export function createSeenRecorder(
  database: LiveDatabase,
  { log, now }: { log: Logger; now: Date | null },
): SeenRecorder {
  let due = new Set<LiveConnection>();
  let noting: Promise<void> | null = null;

  async function noteDue(): Promise<void> {
    while (due.size > 0) {
      const seen = due;
      due = new Set();
      try {
        await noteConnected({ database, now }, seen);
      } catch (error) {
        log.debug({ err: error }, "connected agents could not be recorded; the next run will retry");
      }
      await pause(GAP_MS);
    }
    noting = null;
  }

  return {
    note: (connections) => {
      for (const connection of connections) due.add(connection);
      noting ??= noteDue();
    },
    flush: async () => {
      await noting;
    },
  };
}

/**
 * Sets the last contact of all agents with a socket on this node, in one statement. Skips locked rows, so
 * that nothing waits.
 */
export async function noteConnected(
  { database, now }: { database: LiveDatabase; now: Date | null },
  connections: Iterable<LiveConnection>,
): Promise<void> {
  const agents = new Map<string, string>();
  for (const { identity } of connections) {
    if (identity?.kind === "agent") agents.set(identity.agentId, identity.workspaceId);
  }
  if (agents.size > 0) await database.run(SEEN, [[...agents.values()], [...agents.keys()], now]);
}

const SEEN = sql`
WITH seen AS (
  SELECT a.workspace_id, a.id FROM unnest($1::uuid[], $2::uuid[]) AS s(workspace_id, id)
  JOIN agent a ON a.workspace_id = s.workspace_id AND a.id = s.id
  FOR NO KEY UPDATE OF a SKIP LOCKED
)
UPDATE agent a SET last_seen_at = ${NOW}
FROM seen WHERE a.workspace_id = seen.workspace_id AND a.id = seen.id`;
