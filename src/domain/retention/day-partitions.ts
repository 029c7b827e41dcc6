import type { Database } from "../../db/client.ts";
import { isDuplicateTable, isLockTimeout } from "../../db/database-errors.ts";
import { firstUuidAt } from "../../db/first-uuid.ts";
import { buildStatement } from "../../db/sql.ts";
import { RETENTION_DAYS, type RetentionSetting } from "../kernel/retention-days.ts";

/** A table with one partition for each day. */
export type PartitionedTable = {
  name: string;
  /** For how many days a workspace keeps rows. */
  setting: RetentionSetting;
  /** The partition key's first value of a day that begins at this time. */
  toBound: (day: Date) => string;
};

export const DECISION_PARTITIONS: PartitionedTable = {
  name: "decision",
  setting: "decisionRetentionDays",
  toBound: firstUuidAt,
};

const SPAN_PARTITIONS: PartitionedTable = {
  name: "span",
  setting: "traceRetentionDays",
  toBound: toDay,
};

const SPAN_CONTENT_PARTITIONS: PartitionedTable = {
  name: "span_content",
  setting: "contentRetentionDays",
  toBound: toDay,
};

/** The tables of spans, whose partitions are by the day of their trace. */
export const TRACE_PARTITIONS: readonly PartitionedTable[] = [SPAN_PARTITIONS, SPAN_CONTENT_PARTITIONS];

const DAY_MS = 86_400_000;
/** How many days ahead partitions exist. */
const DAYS_AHEAD = 7;
/** While it waits for the lock, everybody else waits for it. */
const LOCK_TIMEOUT = buildStatement("", "SET LOCAL lock_timeout = '1s'");

/** Creates a table's partitions for a day and a week from it, if they are missing. */
export async function createDayPartitions(
  { run }: Pick<Database, "run">,
  table: PartitionedTable,
  day: Date,
): Promise<void> {
  const known = new Set(await listPartitions(run, table));
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const from = new Date(Math.floor(day.getTime() / DAY_MS) * DAY_MS + ahead * DAY_MS);
    if (known.has(getPartitionName(table, from))) continue;
    await run(buildStatement("", buildPartition(table, from)), []).catch(ignoreDuplicate);
  }
}

/**
 * Deletes a table's partitions of days that ended longer ago than any workspace keeps rows. Leaves those that
 * somebody reads for long.
 *
 * @returns how many it deleted.
 */
export async function dropOldDayPartitions(
  { run, transaction }: Pick<Database, "run" | "transaction">,
  table: PartitionedTable,
  day: Date,
): Promise<number> {
  const { column, max } = RETENTION_DAYS[table.setting];
  const [longest] = await run(
    buildStatement<{ days: number | null }>("", `SELECT max(${column}) AS days FROM workspace`),
    [],
  );
  const oldest = getPartitionName(table, new Date(day.getTime() - (longest?.days ?? max) * DAY_MS));
  const old = (await listPartitions(run, table)).filter((name) => name < oldest);
  let dropped = 0;
  for (const name of old) if (await drop(transaction, name)) dropped++;
  return dropped;
}

async function drop(transaction: Database["transaction"], name: string): Promise<boolean> {
  try {
    await transaction(async (tx) => {
      await tx.run(LOCK_TIMEOUT, []);
      await tx.run(buildStatement("", `DROP TABLE IF EXISTS ${name}`), []);
      return { result: null, last: [] };
    });
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return false;
  }
}

async function listPartitions(run: Database["run"], { name }: PartitionedTable): Promise<string[]> {
  const rows = await run(
    buildStatement<{ name: string }>(
      "",
      `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = '${name}'::regclass ORDER BY c.relname`,
    ),
    [],
  );
  return rows.map((row) => row.name);
}

function toDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** Such as `decision_20261123`, so that names are in the order of their days. */
function getPartitionName({ name }: PartitionedTable, day: Date): string {
  return `${name}_${toDay(day).replaceAll("-", "")}`;
}

function buildPartition(table: PartitionedTable, from: Date): string {
  const to = new Date(from.getTime() + DAY_MS);
  return `CREATE TABLE IF NOT EXISTS ${getPartitionName(table, from)} PARTITION OF ${table.name}
FOR VALUES FROM ('${table.toBound(from)}') TO ('${table.toBound(to)}')`;
}

/** Several nodes create the same partition at once. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateTable(error)) throw error;
}
