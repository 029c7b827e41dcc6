import type { Client } from "pg";
import { quoteName, type BackupHeader, type BackupTable } from "./backup-format.ts";

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

/** Drops all foreign keys. @returns a function that creates them again, which checks all rows. */
export async function dropForeignKeys(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT r.relname::text AS table, k.conname::text AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class r ON r.oid = k.conrelid
     WHERE k.connamespace = current_schema()::regnamespace AND k.contype = 'f' AND k.conparentid = 0
     ORDER BY r.relname, k.conname`,
  );
  for (const { table, name } of rows)
    await client.query(`ALTER TABLE ${quoteName(table)} DROP CONSTRAINT ${quoteName(name)}`);
  return async () => {
    for (const { table, name, definition } of rows)
      await client.query(`ALTER TABLE ${quoteName(table)} ADD CONSTRAINT ${quoteName(name)} ${definition}`);
  };
}
