import pg from "pg";
import type { NewWorkspace } from "../src/auth/workspaces/create-workspace.ts";

/** A workspace with this many tasks, and the newest of them. */
export type TaskWorkspace = { tasks: number; apiKey: string; taskId: string };

/** Rows per statement. */
const BATCH = 100_000;

/** Connects without the server's time limits, and so that foreign keys are not looked up for each row. */
export async function connectToFill(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    options: "-c session_replication_role=replica",
  });
  await client.connect();
  return client;
}

/** Fills a workspace with tasks of the last week, of which one in twenty waits, and sets its totals to match. */
export async function fillTasks(
  client: pg.Client,
  { workspaceId, apiKey }: NewWorkspace,
  tasks: number,
): Promise<TaskWorkspace> {
  for (let from = 1; from <= tasks; from += BATCH) {
    await client.query(TASKS, [workspaceId, from, Math.min(from + BATCH - 1, tasks), tasks]);
  }
  const waiting = Math.floor(tasks / 20);
  await client.query(TOTALS, [workspaceId, tasks, waiting, tasks - waiting]);
  const { rows } = await client.query<{ id: string }>(NEWEST, [workspaceId]);
  return { tasks, apiKey, taskId: rows[0]?.id ?? "" };
}

/** Does what autovacuum would have done by now. @returns about how many tasks there are. */
export async function vacuum(client: pg.Client): Promise<number> {
  await client.query("VACUUM ANALYZE");
  const { rows } = await client.query<{ tasks: number }>(
    "SELECT reltuples::int AS tasks FROM pg_class WHERE relname = 'task'",
  );
  return rows[0]?.tasks ?? 0;
}

const TASKS = `
INSERT INTO task (workspace_id, id, context_id, title, queue, input, labels, created_by, status, attempt,
  created_at, updated_at, started_at, finished_at)
SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'Refund order ' || n, 'billing',
  '[{"text": "The customer sent it back unopened."}]',
  jsonb_build_object('team', CASE WHEN n % 1000 = 0 THEN 'billing' ELSE 'support' END),
  '{"id": "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44", "name": "Billing bot", "type": "agent"}',
  CASE WHEN n % 20 = 0 THEN 'submitted' ELSE 'completed' END::task_status, CASE WHEN n % 20 = 0 THEN 0 ELSE 1 END,
  at, at + CASE WHEN n % 20 = 0 THEN interval '0' ELSE interval '30 s' END,
  CASE WHEN n % 20 > 0 THEN at END, CASE WHEN n % 20 > 0 THEN at + interval '30 s' END
FROM generate_series($2::int, $3::int) n
CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', now() - interval '2 minutes' - n * interval '7 days' / $4::int) AS at) t`;

const TOTALS = `
INSERT INTO collection_total (workspace_id, collection, facet, total, version)
SELECT $1::uuid, 'tasks', facet, total, 1
FROM (VALUES ('all', $2::int), ('submitted', $3::int), ('completed', $4::int)) AS t (facet, total)`;

const NEWEST = `
SELECT id::text FROM task WHERE workspace_id = $1::uuid ORDER BY created_at DESC, id DESC LIMIT 1`;
