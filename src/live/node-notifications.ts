import { sql } from "../db/sql.ts";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { LiveMetrics } from "./metrics.ts";

/** Tells nodes where to look for news. A node that misses it polls. */
export type NodeNotification = { workspaceIds: readonly string[] | "all"; revoked: boolean };

/** Sends notifications to the other nodes, and receives theirs. */
export type NodeNotifications = {
  /** Never blocks and never throws. */
  send: (workspaceId: string, revoked: boolean) => void;
  listen: (onNotification: (notification: NodeNotification) => void) => { stop: () => Promise<void> };
  /** Waits until outstanding notifications are sent. */
  flush: () => Promise<void>;
};

const CHANNEL = "agent_ops_live";
/** A payload must be shorter than 8,000 bytes. */
const MAX_IDS = 150;
/** The least interval. Under load, one notification covers many commits. */
const GAP_MS = 3;
const EVERYTHING: NodeNotification = { workspaceIds: "all", revoked: true };

const NOTIFY = sql`SELECT pg_notify('${CHANNEL}', $1)`;

/**
 * Uses PostgreSQL's NOTIFY, sent after commits and never within a transaction, where it would serialize all
 * commits. Notifications that arise while one is being sent are combined into the next.
 */
export function createNodeNotifications(
  database: LiveDatabase,
  { log, metrics }: { log: Logger; metrics: Pick<LiveMetrics, "notifications" | "listens"> },
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
        await database.run(NOTIFY, [payload]);
        metrics.notifications.inc({ outcome: "sent" });
      } catch (error) {
        metrics.notifications.inc({ outcome: "failed" });
        log.debug({ err: error }, "a notification could not be sent; other nodes will poll");
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
          metrics.notifications.inc({ outcome: "received" });
          onNotification(notification);
        },
        onListening: () => {
          metrics.listens.set(1);
          onNotification(EVERYTHING);
        },
        onDisconnect: () => metrics.listens.set(0),
      }),
    flush: async () => {
      await sending;
    },
  };
}

/** Returns null for this node's own notifications. */
function parsePayload(payload: string, ownNode: string): NodeNotification | null {
  try {
    // An unknown payload only makes the node look everywhere.
    const { node, ids, revoked } = JSON.parse(payload) as Record<string, unknown>;
    if (node === ownNode) return null;
    const known = Array.isArray(ids) && ids.every((id) => typeof id === "string");
    return { workspaceIds: known ? ids : "all", revoked: revoked !== false };
  } catch {
    return EVERYTHING;
  }
}
