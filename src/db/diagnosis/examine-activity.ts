import type { Client } from "pg";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Looks at what the database does at this moment, and at what it left undone. */
export async function examineActivity(client: Client): Promise<Finding[]> {
  return [
    await examineConnections(client),
    await examineLocks(client),
    await examineTransactions(client),
    await examineBloat(client),
    await examineAge(client),
  ];
}

async function examineConnections(client: Client): Promise<Finding> {
  const check = "database.connections";
  const [row] = (
    await client.query<{ used: number; most: number }>(
      `SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`,
    )
  ).rows;
  const { used = 0, most = 1 } = row ?? {};
  const found = `${used} of ${most} are in use`;
  if (used < most * 0.8) return ok(check, found);
  return warn(check, found, "Raise max_connections: each server takes up to 27, and commands need some.");
}

/** Who waits for a lock for some seconds, and for whom. */
async function examineLocks(client: Client): Promise<Finding> {
  const check = "database.locks";
  const { rows } = await client.query<{ seconds: number; blocker: number; application: string | null }>(
    `SELECT extract(epoch FROM clock_timestamp() - a.state_change)::int AS seconds, b.pid AS blocker,
        b.application_name AS application
     FROM pg_stat_activity a CROSS JOIN LATERAL unnest(pg_blocking_pids(a.pid)) blocker
     LEFT JOIN pg_stat_activity b ON b.pid = blocker
     WHERE a.datname = current_database() AND a.wait_event_type = 'Lock'
       AND clock_timestamp() - a.state_change > interval '3 seconds'
     ORDER BY 1 DESC`,
  );
  const [longest] = rows;
  if (longest === undefined) return ok(check, "nobody waits");
  return warn(
    check,
    `${rows.length} wait, for up to ${longest.seconds} s, for process ${longest.blocker} (${longest.application ?? "unknown"})`,
    `Look at it in pg_stat_activity, and end it by SELECT pg_terminate_backend(${longest.blocker}) if it hangs.`,
  );
}

const LONG_SECONDS = 300;
const TOO_LONG_SECONDS = 3600;

/** While a transaction is open, no row that was deleted since can be removed, and tables and indexes grow. */
async function examineTransactions(client: Client): Promise<Finding> {
  const check = "database.transactions";
  const { rows } = await client.query<{ seconds: number; name: string }>(
    `SELECT extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds,
        format('process %s (%s)', pid, application_name) AS name
     FROM pg_stat_activity WHERE datname = current_database() AND xact_start < clock_timestamp() - $1 * interval '1 s'
     UNION ALL
     SELECT extract(epoch FROM clock_timestamp() - prepared)::int, format('prepared transaction %s', gid)
     FROM pg_prepared_xacts WHERE database = current_database() AND prepared < clock_timestamp() - $1 * interval '1 s'
     ORDER BY 1 DESC`,
    [LONG_SECONDS],
  );
  const [longest] = rows;
  if (longest === undefined) return ok(check, "none is long");
  const found = `${rows.length} are open for long: ${longest.name} for ${longest.seconds} s`;
  const say = longest.seconds > TOO_LONG_SECONDS ? fail : warn;
  return say(check, found, "End it, unless it is a backup: meanwhile no deleted row can be removed.");
}

async function examineBloat(client: Client): Promise<Finding> {
  const check = "database.bloat";
  const { rows } = await client.query<{ table: string; dead: number; live: number }>(
    `SELECT relname::text AS table, n_dead_tup::float8 AS dead, n_live_tup::float8 AS live
     FROM pg_stat_user_tables
     WHERE schemaname = current_schema() AND n_dead_tup > 100000 AND n_dead_tup > n_live_tup * 0.5
     ORDER BY n_dead_tup DESC LIMIT 5`,
  );
  if (rows.length === 0) return ok(check, "few deleted rows are left in tables");
  const tables = rows.map(({ table, dead, live }) => `${table} has ${dead} deleted rows and ${live} others`);
  return warn(
    check,
    tables.join(", "),
    "Look for long transactions, and whether autovacuum runs. VACUUM (ANALYZE) of the tables removes them.",
  );
}

/** PostgreSQL stops to write at 2^31 transactions without a vacuum. */
async function examineAge(client: Client): Promise<Finding> {
  const check = "database.age";
  const [row] = (
    await client.query<{ age: number }>(
      "SELECT age(datfrozenxid)::float8 AS age FROM pg_database WHERE datname = current_database()",
    )
  ).rows;
  const age = row?.age ?? 0;
  const found = `the oldest row is ${age} transactions old`;
  if (age < 1_000_000_000) return ok(check, found);
  const say = age > 1_800_000_000 ? fail : warn;
  return say(check, found, "Run VACUUM (FREEZE): PostgreSQL stops to write at 2,147,483,648.");
}
