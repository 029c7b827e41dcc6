import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import {
  ROWS_END,
  checksumLine,
  headerLine,
  quoteName,
  tableLine,
  type BackupHeader,
  type BackupTable,
} from "./backup-format.ts";
import { listPartitions } from "./catalog.ts";
import { openSnapshot } from "./open-snapshot.ts";

/** What a backup has. */
export type BackupSummary = { header: BackupHeader; tables: number; rows: number; sha256: string };

type Options = {
  /** The program's. */
  version: string;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
};

/**
 * Writes all rows of a database as they are at one moment, while others read and write.
 *
 * @throws {BackupError} database_unknown if the database has not been migrated by this program.
 */
export async function writeBackup(
  databaseUrl: string,
  { version, output, signal }: Options,
): Promise<BackupSummary> {
  const { client, tables, close } = await openSnapshot(databaseUrl);
  try {
    const header = await readHeader(client, version);
    const summary = { header, tables: tables.length, rows: 0, sha256: "" };
    await pipeline(writeText(client, tables, summary), createGzip(), output, { signal });
    return summary;
  } finally {
    await close();
  }
}

async function readHeader(client: pg.Client, version: string): Promise<BackupHeader> {
  const { rows: migrations } = await client.query<BackupHeader["migrations"][number]>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const { rows: times } = await client.query<{ now: Date }>("SELECT now()");
  const takenAt = (times[0]?.now ?? new Date()).toISOString();
  return { format: 1, version, takenAt, migrations, partitions: await listPartitions(client) };
}

/** Adds what it has written to the summary. */
async function* writeText(
  client: pg.Client,
  tables: readonly BackupTable[],
  summary: BackupSummary,
): AsyncGenerator<string | Buffer> {
  const hash = createHash("sha256");
  function hashed<Part extends string | Buffer>(part: Part): Part {
    hash.update(part);
    return part;
  }
  yield hashed(headerLine(summary.header));
  for (const table of tables) {
    yield hashed(tableLine(table));
    const columns = table.columns.map(quoteName).join(", ");
    // COPY of a partitioned table itself is not possible.
    const rows = client.query(copyTo(`COPY (SELECT ${columns} FROM ${quoteName(table.name)}) TO STDOUT`));
    for await (const chunk of rows) yield hashed(chunk as Buffer);
    summary.rows += rows.rowCount;
    yield hashed(ROWS_END);
  }
  summary.sha256 = hash.digest("hex");
  yield checksumLine(summary.sha256);
}
