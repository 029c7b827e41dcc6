import { NOW, sql } from "../../db/sql.ts";
import type { Services } from "../kernel/services.ts";
import { type Cleanup, cleanUpWorkspaces } from "../sweeps/clean-up.ts";

/** The most rows per statement, so that nobody waits long. */
const BATCH = 2000;

/** A cleanup of deliveries to webhooks beyond retention. Those that are pending stay. */
export function createWebhookCleanup(services: Services, now: Date | null): Cleanup {
  return cleanUpWorkspaces(services, now, {
    name: "webhook_delivery",
    actor: "retention",
    due: DUE,
    batch: (ctx) =>
      ctx.transaction(async (tx) => {
        const { length } = await tx.run(DELETE, [ctx.workspaceId]);
        return { deleted: length, hasMore: length === BATCH };
      }),
  });
}

const DUE = sql<{ id: string }>`
SELECT w.id FROM workspace w
CROSS JOIN LATERAL (
  SELECT 1 FROM webhook_delivery d WHERE d.workspace_id = w.id AND d.status <> 'pending'
    AND d.created_at < ${NOW} - make_interval(days => w.webhook_delivery_retention_days)
  ORDER BY d.created_at LIMIT 1
) o`;

const DELETE = sql`
DELETE FROM webhook_delivery WHERE workspace_id = $1::uuid AND id = ANY(ARRAY(
  SELECT d.id FROM webhook_delivery d WHERE d.workspace_id = $1::uuid AND d.status <> 'pending'
    AND d.created_at < (SELECT ${NOW} - make_interval(days => webhook_delivery_retention_days) FROM workspace
      WHERE id = $1::uuid)
  ORDER BY d.created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
