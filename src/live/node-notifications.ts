import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { LiveMetrics } from "./metrics.ts";

/** What a hint says: look there. Whoever misses it finds out by polling. */
export type NodeNotification = { workspaceIds: readonly string[] | "all"; revoked: boolean };

/** Sends hints to the other nodes, and hears theirs. */
export type NodeNotifications = {
  /** Never waits and never throws. */
  send: (workspaceId: string, revoked: boolean) => void;
  listen: (onNotification: (hint: NodeNotification) => void) => { stop: () => Promise<void> };
  /** Waits until what was sent is on its way. */
  flush: () => Promise<void>;
};

const CHANNEL = "agent_ops_live";
/** A payload has less than 8,000 bytes. */
const MAX_IDS = 150;
/** Between hints: under load one speaks for many commits. */
const GAP_MS = 3;
const EVERYTHING: NodeNotification = { workspaceIds: "all", revoked: true };

const NOTIFY = { name: "live_notify", text: `SELECT pg_notify('${CHANNEL}', $1)` };

/**
 * Hints over PostgreSQL's notifications: after a commit and never within one, where they would hold up all
 * others. What comes while one is on its way, or just after, goes together in the next.
 */
export function createNodeNotifications(
  database: LiveDatabase,
  { log, metrics }: { log: Logger; metrics: Pick<LiveMetrics, "notifications" | "hears"> },
): NodeNotifications {
  const node = randomUUID();
  let due = new Set<string>();
  let revoked = false;
  let sending: Promise<void> | null = null;

  async function sendDue(): Promise<void> {
    while (due.size > 0) {
      const ids = [...due];
      const payload = JSON.stringify({ node, ids: ids.length > MAX_IDS ? "all" : ids, revoked });
      due = new Set();
      revoked = false;
      try {
        await database.read(NOTIFY, [payload]);
        metrics.notifications.inc({ outcome: "sent" });
      } catch (error) {
        metrics.notifications.inc({ outcome: "failed" });
        log.debug({ err: error }, "a hint could not be sent; the other nodes will find out by polling");
      }
      await pause(GAP_MS);
    }
    sending = null;
  }

  return {
    send: (workspaceId, isRevocation) => {
      due.add(workspaceId);
      revoked ||= isRevocation;
      sending ??= sendDue();
    },
    listen: (onNotification) =>
      database.listen(CHANNEL, {
        onMessage: (payload) => {
          const notification = parsePayload(payload, node);
          if (notification === null) return;
          metrics.notifications.inc({ outcome: "heard" });
          onNotification(notification);
        },
        onListening: () => {
          metrics.hears.set(1);
          onNotification(EVERYTHING);
        },
        onDisconnect: () => metrics.hears.set(0),
      }),
    flush: async () => {
      await sending;
    },
  };
}

/** Null for this node's own: it knew before. */
function parsePayload(payload: string, ownNode: string): NodeNotification | null {
  try {
    // Whatever else somebody may send on the channel only makes the node look everywhere.
    const { node, ids, revoked } = JSON.parse(payload) as Record<string, unknown>;
    if (node === ownNode) return null;
    const known = Array.isArray(ids) && ids.every((id) => typeof id === "string");
    return { workspaceIds: known ? ids : "all", revoked: revoked !== false };
  } catch {
    return EVERYTHING;
  }
}
