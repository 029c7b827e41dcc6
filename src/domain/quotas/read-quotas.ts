import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import type { Quota } from "./quota.ts";

/**
 * Reads the workspace's quotas with how much of each is used: active agents, tasks created today (UTC), events of this
 * second, and the storage when it was last measured.
 *
 * @throws {DomainError} forbidden below admin; not_found.
 */
export async function readQuotas(ctx: Ctx): Promise<Quota[]> {
  requireRole(ctx, "admin");
  const [row] = await ctx.read(READ, [ctx.workspaceId]);
  if (row === undefined) throw createNotFoundError("workspace");
  const exact = { measuredAt: null };
  return [
    { name: "agents", limit: row.agentQuota, used: row.agents, ...exact },
    { name: "tasks_per_day", limit: row.taskQuota, used: row.tasks, ...exact },
    { name: "events_per_second", limit: row.eventQuota, used: row.events, ...exact },
    { name: "storage_bytes", limit: row.storageQuota, used: row.storage, measuredAt: row.storageAt },
  ];
}

type Row = {
  agentQuota: number | null;
  taskQuota: number | null;
  eventQuota: number | null;
  storageQuota: number | null;
  agents: number;
  tasks: number;
  events: number;
  storage: number;
  storageAt: Date | null;
};

const READ = sql<Row>`
SELECT agent_quota AS "agentQuota", task_quota AS "taskQuota", event_quota AS "eventQuota",
  storage_quota::float8 AS "storageQuota",
  (SELECT count(*)::int FROM agent a WHERE a.workspace_id = $1::uuid AND a.archived_at IS NULL) AS agents,
  CASE WHEN task_day = (${NOW} AT TIME ZONE 'UTC')::date THEN tasks_of_day ELSE 0 END AS tasks,
  CASE WHEN event_second >= ${NOW} - interval '1 second' THEN events_of_second ELSE 0 END AS events,
  storage_bytes::float8 AS storage, storage_at AS "storageAt"
FROM workspace_head WHERE workspace_id = $1::uuid`;
