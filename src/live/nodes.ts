import { sql } from "../db/sql.ts";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { LiveMetrics } from "./metrics.ts";

/** The running servers, and how far each has applied revocations. */
export type Nodes = {
  /**
   * Writes that this node runs and has applied all revocations up to `seq`: if that is new, or once a
   * second.
   */
  reportApplied: (seq: number) => Promise<void>;
  /** Waits briefly until all other nodes have applied the current revocations. Never throws. */
  waitForAcknowledgement: () => Promise<void>;
  /** Removes this node, so that others don't wait for it. */
  leave: () => Promise<void>;
};

/** How long a revocation waits for nodes that don't answer. */
const TIMEOUT_MS = 300;
const HEARTBEAT_MS = 1000;
const FIRST_LOOK_MS = 4;
const LONGEST_LOOK_MS = 64;

/**
 * Reads the nodes' rows. A node that was not seen for five seconds stops trusting credentials, so nobody
 * waits for it.
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
      const behind: LaggingNode[] = await database.run(BEHIND, [id, seq]);
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
      // Wait only for the revocations at the first read, not for later ones.
      seq = first.seq;
      await pause(Math.min(waitMs, leftMs));
    }
  }

  return {
    reportApplied: async (seq) => {
      const atMs = performance.now();
      if (reported?.seq === seq && atMs - reported.atMs < HEARTBEAT_MS) return;
      await database.run(APPLIED, [id, seq]);
      reported = { seq, atMs };
    },
    waitForAcknowledgement: () =>
      waitForNodes().catch((error: unknown) => {
        metrics.unacknowledged.inc();
        log.warn({ err: error }, "it is unknown whether other nodes have acknowledged a revocation");
      }),
    leave: async () => void (await database.run(LEAVE, [id])),
  };
}

type LaggingNode = { node: string; seq: number };

const APPLIED = sql`
INSERT INTO node (id, revocation_seq, seen_at) VALUES ($1::uuid, $2::bigint, clock_timestamp())
ON CONFLICT (id) DO UPDATE SET revocation_seq = EXCLUDED.revocation_seq, seen_at = EXCLUDED.seen_at`;

const BEHIND = sql<LaggingNode>`
SELECT n.id AS node, COALESCE($2::bigint, h.seq)::float8 AS seq FROM revocation_head h
JOIN node n ON n.id <> $1::uuid AND n.seen_at > clock_timestamp() - interval '5 seconds'
  AND n.revocation_seq < COALESCE($2::bigint, h.seq)
WHERE h.id = 1`;

/** Also removes rows of killed nodes. */
const LEAVE = sql`DELETE FROM node WHERE id = $1::uuid OR seen_at < clock_timestamp() - interval '1 hour'`;
