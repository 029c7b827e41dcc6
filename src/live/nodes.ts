import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { LiveMetrics } from "./metrics.ts";

/** The servers that run, and how far each has applied what was revoked. */
export type Nodes = {
  /** Tells the others that this one runs and has applied everything up to here: where that is new, or once a second. */
  reportApplied: (seq: number) => Promise<void>;
  /** Waits until every other has applied all that is revoked now; not for long. Never throws. */
  waitForAcknowledgement: () => Promise<void>;
  /** Tells the others not to wait for this one any more. */
  leave: () => Promise<void>;
};

/** Who revokes waits no longer for those that don't answer. */
const TIMEOUT_MS = 300;
const HEARTBEAT_MS = 1000;
const FIRST_LOOK_MS = 4;
const LONGEST_LOOK_MS = 64;

/**
 * Knows the nodes by the rows that they keep. One that was not seen for five seconds trusts nobody any more, so
 * nobody waits for it.
 */
export function createNodes(
  database: LiveDatabase,
  { log, metrics }: { log: Logger; metrics: Pick<LiveMetrics, "unacknowledged"> },
): Nodes {
  const id = randomUUID();
  let reported: { seq: number; atMs: number } | null = null;

  async function waitForNodes(): Promise<void> {
    const untilMs = performance.now() + TIMEOUT_MS;
    let seq: number | null = null;
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_LOOK_MS)) {
      const behind: LaggingNode[] = await database.read<LaggingNode>(BEHIND, [id, seq]);
      const [first] = behind;
      if (first === undefined) return;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) {
        metrics.unacknowledged.inc();
        log.warn(
          { nodes: behind.map(({ node }) => node) },
          "nodes have not acknowledged a revocation in time",
        );
        return;
      }
      // What others revoke meanwhile is theirs to wait for.
      seq = first.seq;
      await pause(Math.min(waitMs, leftMs));
    }
  }

  return {
    reportApplied: async (seq) => {
      const atMs = performance.now();
      if (reported?.seq === seq && atMs - reported.atMs < HEARTBEAT_MS) return;
      await database.read(APPLIED, [id, seq]);
      reported = { seq, atMs };
    },
    waitForAcknowledgement: () =>
      waitForNodes().catch((error: unknown) => {
        metrics.unacknowledged.inc();
        log.warn({ err: error }, "it can't be told whether other nodes have acknowledged a revocation");
      }),
    leave: async () => void (await database.read(LEAVE, [id])),
  };
}

type LaggingNode = { node: string; seq: number };

const APPLIED = {
  name: "live_node_applied",
  text: `
INSERT INTO node (id, revocation_seq, seen_at) VALUES ($1::uuid, $2::bigint, clock_timestamp())
ON CONFLICT (id) DO UPDATE SET revocation_seq = EXCLUDED.revocation_seq, seen_at = EXCLUDED.seen_at`,
};

const BEHIND = {
  name: "live_nodes_behind",
  text: `
SELECT n.id AS node, COALESCE($2::bigint, h.seq)::float8 AS seq FROM revocation_head h
JOIN node n ON n.id <> $1::uuid AND n.seen_at > clock_timestamp() - interval '5 seconds'
  AND n.revocation_seq < COALESCE($2::bigint, h.seq)
WHERE h.id = 1`,
};

/** Those that were killed can't leave by themselves. */
const LEAVE = {
  name: "live_node_leave",
  text: "DELETE FROM node WHERE id = $1::uuid OR seen_at < clock_timestamp() - interval '1 hour'",
};
