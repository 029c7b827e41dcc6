import type { Database } from "../../db/client.ts";
import { NOW, buildStatement, sql } from "../../db/sql.ts";

type Table = { name: string; bytes: number; pages: number; columns: string };

/** The most pages of a table that are read. The rows of larger ones are a random sample. */
const SAMPLED_PAGES = 500;

/**
 * Measures how much each workspace stores: each table's size on the disk, with its indexes and large values, shared by
 * the sizes of its rows. Of tables of more than 4 MB it looks at a sample of that size, so that its own cost is bounded.
 *
 * @returns whether it was due: not if a node did so within the last `everyMs`.
 */
export async function measureStorage(
  { run }: Pick<Database, "run">,
  { everyMs, now = null }: { everyMs: number; now?: Date | null },
): Promise<boolean> {
  const [due] = await run(DUE, [everyMs / 1000, now]);
  if (due === undefined) return false;
  const sums = new Map<string, number>();
  for (const table of await run(TABLES, [])) {
    for (const { id, share } of await run(buildShares(table), []))
      sums.set(id, (sums.get(id) ?? 0) + share * table.bytes);
  }
  // One by one, so that no two heads are locked at once.
  for (const { id } of await run(WORKSPACES, [])) await run(WRITE, [id, Math.round(sums.get(id) ?? 0), now]);
  return true;
}

function buildShares({ name, pages, columns }: Table) {
  const percent = Math.min(100, (100 * SAMPLED_PAGES) / Math.max(1, pages));
  return buildStatement<{ id: string; share: number }>(
    "",
    `SELECT workspace_id AS id, sum(bytes)::float8 / sum(sum(bytes)) OVER () AS share
     FROM (SELECT workspace_id, 28 + ${columns} AS bytes FROM ${name} TABLESAMPLE SYSTEM (${percent})) sampled
     WHERE workspace_id IS NOT NULL GROUP BY workspace_id`,
  );
}

const DUE = sql`
SELECT 1 FROM workspace_head HAVING COALESCE(max(storage_at) <= ${NOW} - $1::float8 * interval '1 second', count(*) > 0)`;

/** All tables with a workspace in each row, partitions one by one. */
const TABLES = sql<Table>`
SELECT c.oid::regclass::text AS name, pg_total_relation_size(c.oid)::float8 AS bytes,
  (pg_relation_size(c.oid) / current_setting('block_size')::int)::float8 AS pages,
  string_agg(format('COALESCE(pg_column_size(%I), 0)', a.attname), ' + ') AS columns
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  AND EXISTS (SELECT 1 FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'workspace_id' AND NOT w.attisdropped)
GROUP BY c.oid`;

const WORKSPACES = sql<{ id: string }>`SELECT workspace_id AS id FROM workspace_head`;

const WRITE = sql`
UPDATE workspace_head SET storage_bytes = $2::bigint, storage_at = ${NOW} WHERE workspace_id = $1::uuid`;
