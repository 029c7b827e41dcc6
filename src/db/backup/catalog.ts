import type { Client } from "pg";
import type { BackupHeader, BackupTable } from "./backup-format.ts";

/** Lists the tables of the current schema by name, without partitions. Generated columns are left out. */
export async function listTables(client: Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.oid ORDER BY c.relname`,
  );
  return rows;
}

/** Lists the partitions of all tables by name. */
export async function listPartitions(client: Client): Promise<BackupHeader["partitions"]> {
  const { rows } = await client.query<BackupHeader["partitions"][number]>(
    `SELECT p.relname::text AS table, c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relispartition AND c.relkind = 'r'
     ORDER BY c.relname`,
  );
  return rows;
}

/** Lists the names of the current schema's enums. */
export async function listEnums(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT typname::text AS name FROM pg_type
     WHERE typnamespace = current_schema()::regnamespace AND typtype = 'e' ORDER BY typname`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Drops what makes filling tables slow: foreign keys, and indexes but those of keys and of partitions.
 *
 * @returns a function that creates them again, which checks all rows.
 */
export async function dropConstraints(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', r.relname, k.conname) AS drop,
        format('ALTER TABLE %I ADD CONSTRAINT %I %s', r.relname, k.conname, pg_get_constraintdef(k.oid)) AS create,
        2 AS turn
     FROM pg_constraint k JOIN pg_class r ON r.oid = k.conrelid
     WHERE k.connamespace = current_schema()::regnamespace AND k.contype = 'f' AND k.conparentid = 0
     UNION ALL
     SELECT format('DROP INDEX %I', c.relname), pg_get_indexdef(c.oid), 1
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class r ON r.oid = i.indrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND r.relkind = 'r' AND NOT r.relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))
     ORDER BY turn`,
  );
  for (const { drop } of rows.toReversed()) await client.query(drop);
  return async () => {
    for (const { create } of rows) await client.query(create);
  };
}
