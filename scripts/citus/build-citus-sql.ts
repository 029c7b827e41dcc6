import type { CitusSchema, UniqueIndex } from "./read-schema.ts";
import { LOCAL, REFERENCE, WIDENED } from "./tables.ts";

const HEADER = `-- Distributes the tables of all workspaces over the workers of a Citus cluster, by workspace_id.
-- Printed by: npx tsx scripts/print-citus.ts. docs/scale.md says when, and what has not been tried.
-- Run it on the coordinator of an empty or stopped service, after the migrations. A later migration that adds a table or
-- a unique index needs its own lines from a newly printed file.`;

/** The tables that are distributed: those of workspaces that are nothing else. */
export function listDistributed({ tenant }: Pick<CitusSchema, "tenant">): string[] {
  return tenant.filter((name) => !(name in REFERENCE) && !(name in LOCAL));
}

/** Builds the statements that distribute a schema. */
export function buildCitusSql(schema: CitusSchema): string {
  const distributed = listDistributed(schema);
  const moved = new Set([...distributed, ...Object.keys(REFERENCE)]);
  const foreignKeys = schema.foreignKeys.filter(({ table }) => moved.has(table));
  const [first = ""] = distributed;
  return `${[
    HEADER,
    "BEGIN;",
    "-- Foreign keys can't lead from what is not distributed yet.",
    ...foreignKeys.map(({ table, name }) => `ALTER TABLE "${table}" DROP CONSTRAINT "${name}";`),
    "-- Unique indexes hold the workspace.",
    ...schema.unique.filter(({ name }) => name in WIDENED).flatMap(widen),
    ...Object.entries(LOCAL).map(([name, reason]) => `-- Stays on the coordinator: ${name} (${reason})`),
    ...Object.entries(REFERENCE).map(
      ([name, reason]) => `-- ${reason}\nSELECT create_reference_table('${name}');`,
    ),
    `SELECT create_distributed_table('"${first}"', 'workspace_id');`,
    ...distributed
      .slice(1)
      .map(
        (name) =>
          `SELECT create_distributed_table('"${name}"', 'workspace_id', colocate_with => '"${first}"');`,
      ),
    ...foreignKeys.map(
      ({ table, name, definition }) => `ALTER TABLE "${table}" ADD CONSTRAINT "${name}" ${definition};`,
    ),
    "COMMIT;",
  ].join("\n")}\n`;
}

function widen({ table, name, isPrimary, columns, filter }: UniqueIndex): string[] {
  const where = filter === null ? "" : ` WHERE ${filter}`;
  const lookup = `CREATE INDEX "${name}_lookup" ON "${table}" (${columns})${where};`;
  const reason = `-- ${WIDENED[name] ?? ""}`;
  if (isPrimary)
    return [
      reason,
      `ALTER TABLE "${table}" DROP CONSTRAINT "${name}";`,
      `ALTER TABLE "${table}" ADD CONSTRAINT "${name}" PRIMARY KEY (workspace_id, ${columns});`,
      lookup,
    ];
  return [
    reason,
    `DROP INDEX "${name}";`,
    `CREATE UNIQUE INDEX "${name}" ON "${table}" (workspace_id, ${columns})${where};`,
    lookup,
  ];
}
