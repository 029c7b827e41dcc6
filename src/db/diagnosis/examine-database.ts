import pg from "pg";
import { examineActivity } from "./examine-activity.ts";
import { examineSchema } from "./examine-schema.ts";
import { SESSION_SETTINGS } from "../open-pool.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** A database that does not answer within this time can't be examined. */
const TIMEOUT_MS = 10_000;

/** Examines a database without changing it. What can't be examined is a finding, too. */
export async function examineDatabase(databaseUrl: string): Promise<Finding[]> {
  return examine(databaseUrl, {
    check: "database.connection",
    advice:
      "Check DATABASE_URL (DIRECT_DATABASE_URL beside a pooler), and that PostgreSQL runs and accepts its user.",
    looks: [examineServer, examineClock, examineSchema, examineActivity],
  });
}

/** Examines whether the connections of a pooler have the settings that the server's own would ask for. */
export async function examinePooler(poolerUrl: string): Promise<Finding[]> {
  return examine(poolerUrl, {
    check: "database.pooler",
    advice: "Check DATABASE_URL, and that the pooler runs and accepts its user.",
    looks: [examineSessionSettings],
  });
}

/** Examines whether a replica is one, and how far it is behind. */
export async function examineReplica(replicaUrl: string): Promise<Finding[]> {
  return examine(replicaUrl, {
    check: "database.replica",
    advice: "Check REPLICA_DATABASE_URL, and that the replica runs and accepts its user.",
    looks: [examineReplay],
  });
}

type Examination = {
  /** What fails where the database can't be reached, or not be examined. */
  check: string;
  advice: string;
  looks: readonly ((client: pg.Client) => Promise<Finding[]>)[];
};

async function examine(url: string, { check, advice, looks }: Examination): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "agent-ops-doctor",
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // Reported by the statement that it interrupts.
  client.on("error", () => {});
  const findings: Finding[] = [];
  try {
    await client.connect();
    for (const look of looks) findings.push(...(await look(client)));
  } catch (error) {
    findings.push(fail(check, error instanceof Error ? error.message : String(error), advice));
  } finally {
    await client.end().catch(() => {});
  }
  return findings;
}

async function examineSessionSettings(client: pg.Client): Promise<Finding[]> {
  const check = "database.pooler";
  const { rows } = await client.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name",
    [Object.keys(SESSION_SETTINGS)],
  );
  const wrong = rows
    .filter(({ name, setting }) => setting !== SESSION_SETTINGS[name])
    .map(({ name, setting }) => `${name} is ${setting} instead of ${SESSION_SETTINGS[name]}`);
  if (wrong.length === 0) return [ok(check, "its connections have the server's settings")];
  return [
    warn(
      check,
      wrong.join(", "),
      "Set them for the pooler's connections, as deploy/pgbouncer does, or by ALTER ROLE … SET.",
    ),
  ];
}

type Server = {
  version: string;
  number: number;
  encoding: string;
  folds: boolean;
  collationDiffers: boolean;
  isReplica: boolean;
  creates: boolean;
  createsSchemas: boolean;
  extensions: string | null;
  settings: Record<"fsync" | "full_page_writes" | "synchronous_commit" | "autovacuum", string>;
  bytes: number;
};

const SERVER = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
  current_setting('server_encoding') AS encoding, lower(chr(201)) = chr(233) AS folds,
  coalesce(pg_database_collation_actual_version(oid) <> datcollversion, false) AS "collationDiffers",
  pg_is_in_recovery() AS "isReplica", has_schema_privilege(current_schema(), 'CREATE') AS creates,
  has_database_privilege(oid, 'CREATE') AS "createsSchemas", pg_database_size(oid)::float8 AS bytes,
  (SELECT string_agg(extname, ', ' ORDER BY extname) FROM pg_extension) AS extensions,
  (SELECT json_object_agg(name, setting) FROM pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum')) AS settings
FROM pg_database WHERE datname = current_database()`;

async function examineServer(client: pg.Client): Promise<Finding[]> {
  const [server] = (await client.query<Server>(SERVER)).rows;
  if (server === undefined) return [];
  return [
    examineVersion(server),
    examineEncoding(server),
    examineRights(server),
    examineSettings(server),
    ok("database.extensions", `none is needed; there are ${server.extensions ?? "none"}`),
    ok("database.size", `${(server.bytes / 1_048_576).toFixed(0)} MiB`),
  ];
}

function examineVersion({ version, number }: Server): Finding {
  const check = "database.version";
  return number >= 150_000
    ? ok(check, `PostgreSQL ${version}`)
    : fail(check, `PostgreSQL ${version}`, "Upgrade PostgreSQL to 15 or newer.");
}

function examineEncoding({ encoding, folds, collationDiffers }: Server): Finding {
  const check = "database.encoding";
  if (encoding !== "UTF8") return fail(check, encoding, "Create the database with ENCODING 'UTF8'.");
  if (!folds)
    return warn(
      check,
      "UTF8, with a locale in which É and é are different letters to lower()",
      "Create the database with the locale C.UTF-8, and restore a backup into it.",
    );
  if (collationDiffers)
    return warn(
      check,
      "UTF8, with a locale whose order has changed since indexes were built",
      "Run REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION.",
    );
  return ok(check, "UTF8");
}

function examineRights({ isReplica, creates, createsSchemas }: Server): Finding {
  const check = "database.rights";
  if (isReplica) return fail(check, "it is a replica, which can't be written", "Use the primary's address.");
  if (!creates)
    return fail(
      check,
      "the user can't create tables",
      "GRANT CREATE ON SCHEMA public, or make it the owner.",
    );
  return createsSchemas
    ? ok(check, "the user can create tables and schemas")
    : warn(check, "the user can't create schemas", "Restore backups as the database's owner.");
}

function examineSettings({ settings }: Server): Finding {
  const check = "database.settings";
  const off = Object.entries(settings).filter(([, value]) => value === "off");
  const names = off.map(([name]) => name);
  const found = names.length === 0 ? "none is unsafe" : `${names.join(", ")} off`;
  if (names.includes("fsync") || names.includes("full_page_writes"))
    return fail(check, found, "Turn it on: a power failure can destroy the database.");
  if (names.includes("synchronous_commit"))
    return warn(check, found, "Turn it on: a crash loses the last writes, although they were acknowledged.");
  if (names.includes("autovacuum")) return warn(check, found, "Turn it on: tables grow without end.");
  return ok(check, found);
}

/** Without new transactions the last one is old, too. */
async function examineReplay(client: pg.Client): Promise<Finding[]> {
  const check = "database.replica";
  const [row] = (
    await client.query<{ isReplica: boolean; isStreaming: boolean; seconds: number }>(
      `SELECT pg_is_in_recovery() AS "isReplica", EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isStreaming",
         extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::int AS seconds`,
    )
  ).rows;
  if (row?.isReplica !== true)
    return [fail(check, "it is no replica", "Use the address of a streaming replica.")];
  const found = `the last transaction it has is ${row.seconds} s old`;
  if (row.isStreaming) return [ok(check, found)];
  return [warn(check, `it has no connection to its primary; ${found}`, "Look into the replica's own log.")];
}

/** The database's clock decides; this machine's must not differ by much. */
async function examineClock(client: pg.Client): Promise<Finding[]> {
  const check = "clock";
  const before = Date.now();
  const [row] = (
    await client.query<{ ms: number }>("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms")
  ).rows;
  const after = Date.now();
  const apartMs = Math.abs((row?.ms ?? after) - (before + after) / 2);
  const found = `this machine and the database differ by ${(apartMs / 1000).toFixed(1)} s`;
  // What the way there and back took is no difference.
  if (apartMs - (after - before) / 2 < 1000) return [ok(check, found)];
  const say = apartMs > 30_000 ? fail : warn;
  return [say(check, found, "Synchronise both with the same time servers (chrony or systemd-timesyncd).")];
}
