import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { quoteName, type BackupTable } from "./backup/backup-format.ts";
import { openSnapshot } from "./backup/open-snapshot.ts";

/** Digests of credentials, passwords, sealed secrets, and tokens that are used as they are. */
const SECRET = /(?:^|_)(?:digest|password|token)$|^sealed_/;
/** How often a person wants a digest, and what everybody finds in the DNS. */
const NO_SECRETS = new Set(["notification_settings.digest", "sign_in_domain.token"]);

/**
 * Reads all rows of a workspace as they are at one moment, without secrets, as lines of JSON such as
 * `{"table":"task","row":{"id":…}}`, in parts that may end within a line.
 *
 * @param counted its `rows` is what was read so far.
 */
export async function* exportRows(
  databaseUrl: string,
  workspaceId: string,
  counted: { rows: number },
): AsyncGenerator<Buffer> {
  const { client, tables, close } = await openSnapshot(databaseUrl);
  try {
    for (const table of tables) {
      const owner = table.name === "workspace" ? "id" : "workspace_id";
      if (table.columns.includes(owner)) yield* exportTable(client, { table, owner, workspaceId }, counted);
    }
  } finally {
    await close();
  }
}

async function* exportTable(
  client: Client,
  { table, owner, workspaceId }: { table: BackupTable; owner: string; workspaceId: string },
  counted: { rows: number },
): AsyncGenerator<Buffer> {
  const columns = table.columns.filter((column) => !isSecret(table, column)).map(quoteName);
  const rows = `SELECT ${columns.join(", ")} FROM ${quoteName(table.name)}
    WHERE ${owner} = ${client.escapeLiteral(workspaceId)}`;
  const lines = `SELECT '{"table":"${table.name}","row":' || to_json(r)::text || '}' FROM (${rows}) r`;
  // JSON has neither character, so that each line is written as it is.
  const copy = client.query(
    copyTo(`COPY (${lines}) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`),
  );
  for await (const part of copy) yield part as Buffer;
  counted.rows += copy.rowCount;
}

function isSecret({ name }: BackupTable, column: string): boolean {
  return SECRET.test(column) && !NO_SECRETS.has(`${name}.${column}`);
}
