import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { LiveConnection } from "./connections.ts";

/** Notes of agents that come and go. */
export type SeenRecorder = {
  /** Soon notes that these agents are seen. */
  note: (connections: Iterable<LiveConnection>) => void;
  /** Waits until all is noted. */
  flush: () => Promise<void>;
};

/** Between notes: who comes or goes meanwhile goes together in the next. */
const GAP_MS = 100;

/**
 * Makes notes of agents that are seen, one statement after the other: who comes or goes together is noted together,
 * and takes up one connection.
 */
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
        log.debug({ err: error }, "who is seen could not be noted; whoever stays will be");
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
 * Notes that every agent with a socket here is seen at this moment, in one statement. Whoever is locked is left out:
 * nobody else waits for him.
 */
export async function noteConnected(
  { database, now }: { database: LiveDatabase; now: Date | null },
  connections: Iterable<LiveConnection>,
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
  FOR NO KEY UPDATE OF a SKIP LOCKED
)
UPDATE agent a SET last_seen_at = COALESCE($3::timestamptz, now())
FROM seen WHERE a.workspace_id = seen.workspace_id AND a.id = seen.id`,
};
