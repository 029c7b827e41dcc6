/** Runs a query, and returns its rows. */
export type Query = (text: string) => Promise<Record<string, unknown>[]>;

/** A unique index that lacks the workspace. `columns` are those of its key, with what PostgreSQL wraps around them. */
export type UniqueIndex = {
  table: string;
  name: string;
  isPrimary: boolean;
  columns: string;
  filter: string | null;
};
export type ForeignKey = {
  table: string;
  target: string;
  name: string;
  hasWorkspace: boolean;
  definition: string;
};
export type CitusSchema = {
  tenant: string[];
  others: string[];
  unique: UniqueIndex[];
  foreignKeys: ForeignKey[];
};

function has(table: string): string {
  return `EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = ${table}.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)`;
}

/** Reads what Citus' rules are about. Partitions follow their tables. */
export async function readCitusSchema(query: Query): Promise<CitusSchema> {
  const tables = await query(
    `SELECT c.relname AS name, ${has("c")} AS tenant FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname COLLATE "C"`,
  );
  const unique = await query(
    `SELECT t.relname AS table, i.relname AS name, x.indisprimary AS "isPrimary",
       substring(pg_get_indexdef(i.oid) FROM 'USING btree \\(([^)]*)\\)') AS columns,
       pg_get_expr(x.indpred, x.indrelid) AS filter
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     WHERE t.relnamespace = 'public'::regnamespace AND x.indisunique AND NOT t.relispartition AND ${has("t")}
       AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'workspace_id'
         AND a.attnum = ANY (x.indkey))
     ORDER BY i.relname COLLATE "C"`,
  );
  const foreignKeys = await query(
    `SELECT t.relname AS table, r.relname AS target, f.conname AS name, pg_get_constraintdef(f.oid) AS definition,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'workspace_id'
         AND a.attnum = ANY (f.conkey)) AS "hasWorkspace"
     FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid
     WHERE f.contype = 'f' AND f.conparentid = 0 AND t.relnamespace = 'public'::regnamespace
     ORDER BY t.relname COLLATE "C", f.conname COLLATE "C"`,
  );
  return {
    tenant: tables.filter(({ tenant }) => tenant === true).map(({ name }) => String(name)),
    others: tables.filter(({ tenant }) => tenant !== true).map(({ name }) => String(name)),
    // The columns of the queries above.
    unique: unique as UniqueIndex[],
    foreignKeys: foreignKeys as ForeignKey[],
  };
}
