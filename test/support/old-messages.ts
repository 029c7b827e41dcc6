import type { TestDatabase } from "./database.ts";

/** Creates messages of a workspace, sent `days` ago and one a millisecond, with their total. They have no conversation. */
export async function insertOldMessages(
  { query }: Pick<TestDatabase, "query">,
  workspaceId: string,
  { count, taskId = null, days = 91 }: { count: number; taskId?: string | null; days?: number },
): Promise<void> {
  await query(
    `INSERT INTO message (workspace_id, id, context_id, task_id, role, sender, parts, created_at)
     SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), $3::uuid, 'agent',
       '{"type":"system","id":null,"name":"test"}', '[]',
       now() - $4::int * interval '1 day' - n * interval '1 ms' FROM generate_series(1, $2::int) n`,
    [workspaceId, count, taskId, days],
  );
  await query(
    `INSERT INTO collection_total (workspace_id, collection, facet, total) VALUES ($1, 'messages', 'all', $2)
     ON CONFLICT (workspace_id, collection, facet) DO UPDATE SET total = collection_total.total + EXCLUDED.total`,
    [workspaceId, count],
  );
}
