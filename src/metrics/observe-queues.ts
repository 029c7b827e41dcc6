import { Gauge, type Registry } from "prom-client";
import type { Logger } from "pino";
import type { Database } from "../db/client.ts";
import { sql } from "../db/sql.ts";

/** How long the numbers are kept: several scrapers cost no more than one. */
const KEPT_MS = 10_000;
/** Longer queues are not counted to their end. */
const MOST = 10_000;

type Queue = { queue: string; depth: number; ageSeconds: number };

/**
 * Creates the metrics of what waits in the database, of all workspaces together. All nodes tell the same, so take the
 * largest.
 */
export function observeQueues(registry: Registry, database: Pick<Database, "run">, log: Logger): void {
  const read = keepFor(KEPT_MS, () => database.run(QUEUES, []));
  const depth = new Gauge({
    name: "agent_ops_queue_depth",
    help: `What waits in all workspaces, by queue. Of emails and deliveries at most ${MOST}. The same on all nodes.`,
    labelNames: ["queue"] as const,
    registers: [registry],
    collect: async () => {
      try {
        for (const { queue, depth: count, ageSeconds } of await read()) {
          depth.set({ queue }, count);
          age.set({ queue }, ageSeconds);
        }
      } catch (error) {
        // Old numbers would look as if all was well.
        depth.reset();
        age.reset();
        log.debug({ err: error }, "queues could not be measured");
      }
    },
  });
  const age = new Gauge({
    name: "agent_ops_queue_oldest_seconds",
    help: "Age of the oldest in a queue, of deliveries since they were due; 0 if none waits, and where it is not measured. The same on all nodes.",
    labelNames: ["queue"] as const,
    registers: [registry],
  });
}

function keepFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let kept: { value: Promise<Value>; untilMs: number } | null = null;
  return () => {
    const nowMs = performance.now();
    if (kept === null || kept.untilMs <= nowMs) kept = { value: read(), untilMs: nowMs + ms };
    return kept.value;
  };
}

function buildQueueSql(queue: string, rows: string): string {
  return `SELECT '${queue}', count(*)::float8 
  , COALESCE(GREATEST(0, extract(epoch FROM now() - min(at))), 0)::float8
FROM (${rows} LIMIT ${MOST}) waiting`;
}

function buildTotalSql(queue: string, collection: string, facet: string): string {
  return `SELECT '${queue}' AS queue, COALESCE(sum(total), 0)::float8 AS depth, 0::float8 AS "ageSeconds" FROM collection_total
WHERE collection = '${collection}' AND facet = '${facet}'`;
}

/** Across workspaces: nobody sees more than the sums. */
const QUEUES = sql<Queue>`SELECT queue, depth, "ageSeconds" FROM (${[
  buildTotalSql("tasks", "tasks", "submitted"),
  buildTotalSql("agent_commands", "agent_commands", "queued"),
  buildTotalSql("approvals", "approvals", "pending"),
  buildQueueSql("emails", "SELECT created_at AS at FROM mail_outbox ORDER BY created_at"),
  buildQueueSql("reset_emails", "SELECT created_at AS at FROM reset_request ORDER BY created_at"),
  buildQueueSql(
    "webhook_deliveries",
    `SELECT d.next_attempt_at AS at FROM webhook_endpoint e
    JOIN webhook_delivery d ON d.workspace_id = e.workspace_id AND d.endpoint_id = e.id
    WHERE e.disabled_at IS NULL AND d.next_attempt_at IS NOT NULL`,
  ),
  buildQueueSql("deferred_appends", "SELECT created_at AS at FROM deferred_append"),
  `SELECT 'webhook_events', COALESCE(sum(h.seq - e.cursor_seq), 0)::float8, 0::float8
  FROM webhook_endpoint e JOIN workspace_head h ON h.workspace_id = e.workspace_id WHERE e.disabled_at IS NULL`,
].join("\nUNION ALL\n")}) queues`;
