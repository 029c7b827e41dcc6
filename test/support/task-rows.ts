import type { TestDatabase } from "./database.ts";

/**
 * Creates many tasks of a workspace at once, with their totals: one every 10 ms back from now, so that some share a
 * timestamp. One in `rareEvery` is failed, the others are completed.
 */
export async function insertTaskRows(
  { query }: TestDatabase,
  workspaceId: string,
  { count, rareEvery = 100 }: { count: number; rareEvery?: number },
): Promise<void> {
  await query(
    `INSERT INTO task (workspace_id, id, context_id, title, status, created_by, created_at)
     SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'Task ' || n,
       (CASE WHEN n % $3 = 0 THEN 'failed' ELSE 'completed' END)::task_status,
       '{"type":"system","id":null,"name":"test"}', date_trunc('second', now()) - (n / 3) * interval '10 ms'
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count, rareEvery],
  );
  await query(
    `INSERT INTO collection_total (workspace_id, collection, facet, total, version)
     SELECT $1::uuid, 'tasks', COALESCE(status::text, 'all'), count(*), 1 FROM task WHERE workspace_id = $1::uuid
     GROUP BY GROUPING SETS ((), (status)) HAVING count(*) > 0`,
    [workspaceId],
  );
}
