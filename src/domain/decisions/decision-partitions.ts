import type { Database } from "../../db/client.ts";
import { firstUuidAt } from "../../db/first-uuid.ts";
import { buildStatement, sql } from "../../db/sql.ts";
import { isDuplicateTable } from "../../db/database-errors.ts";
import { RETENTION_DAYS } from "../kernel/limits.ts";

const DAY_MS = 86_400_000;
/** How many days ahead partitions exist. */
const DAYS_AHEAD = 7;

/** Creates the partitions of decisions for a day and a week from it, if they are missing. */
export async function createDecisionPartitions({ run }: Pick<Database, "run">, day: Date): Promise<void> {
  const known = new Set((await run(PARTITIONS, [])).map(({ name }) => name));
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const from = new Date(Math.floor(day.getTime() / DAY_MS) * DAY_MS + ahead * DAY_MS);
    if (known.has(getPartitionName(from))) continue;
    const to = new Date(from.getTime() + DAY_MS);
    await run(buildStatement("", buildPartition(from, to)), []).catch(ignoreDuplicate);
  }
}

/** Deletes the partitions of days that ended longer ago than any workspace keeps decisions. @returns their number. */
export async function dropOldDecisionPartitions({ run }: Pick<Database, "run">, day: Date): Promise<number> {
  const days = (await run(LONGEST_RETENTION, []))[0]?.days ?? RETENTION_DAYS.decisionRetentionDays.max;
  const oldest = getPartitionName(new Date(day.getTime() - days * DAY_MS));
  const old = (await run(PARTITIONS, [])).filter(({ name }) => name < oldest);
  for (const { name } of old) await run(buildStatement("", `DROP TABLE IF EXISTS ${name}`), []);
  return old.length;
}

const LONGEST_RETENTION = sql<{
  days: number | null;
}>`SELECT max(decision_retention_days) AS days FROM workspace`;

const PARTITIONS = sql<{ name: string }>`
SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'decision'::regclass ORDER BY c.relname`;

/** Such as `decision_20261123`, so that names are in the order of their days. */
function getPartitionName(day: Date): string {
  return `decision_${day.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function buildPartition(from: Date, to: Date): string {
  return `CREATE TABLE IF NOT EXISTS ${getPartitionName(from)} PARTITION OF decision
FOR VALUES FROM ('${firstUuidAt(from)}') TO ('${firstUuidAt(to)}')`;
}

/** Several nodes create the same partition at once. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateTable(error)) throw error;
}
