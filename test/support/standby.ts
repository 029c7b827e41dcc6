import { chown, cp, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { findBinaries } from "../../src/db/embedded-binaries.ts";
import { run } from "../../src/db/embedded-run.ts";
import { choosePort } from "../../src/db/embedded-server.ts";
import { chooseUser } from "../../src/db/embedded-user.ts";

/** A streaming replica of an embedded PostgreSQL. */
export type Standby = {
  url: string;
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Not of the primary's data: its process, its log, and what belongs to its running server. */
const LEFT_OUT = new Set(["postmaster.pid", "postmaster.opts", "pg_wal"]);

/** Copies a running server's data into a standby beside it, which `remove` of the server removes too. */
export async function createStandby(primaryUrl: string): Promise<Standby> {
  const primary = new pg.Client({ connectionString: primaryUrl });
  await primary.connect();
  const { rows } = await primary.query<{ data: string }>("SELECT current_setting('data_directory') AS data");
  const source = rows[0]?.data ?? "";
  const data = path.join(path.dirname(source), "standby");
  const [binaries, user] = await Promise.all([findBinaries(), chooseUser(path.dirname(source))]);
  await primary.query("SELECT pg_backup_start('standby', true)");
  await mkdir(data, { mode: 0o700 });
  for (const name of await readdir(source)) {
    if (!LEFT_OUT.has(name)) await cp(path.join(source, name), path.join(data, name), { recursive: true });
  }
  const { rows: ends } = await primary.query<{ label: string }>(
    "SELECT labelfile AS label FROM pg_backup_stop(false)",
  );
  await primary.end();
  await mkdir(path.join(data, "pg_wal", "archive_status"), { recursive: true, mode: 0o700 });
  const { hostname, port, username, password } = new URL(primaryUrl);
  const place = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  await writeFile(path.join(data, "backup_label"), ends[0]?.label ?? "");
  await writeFile(path.join(data, "standby.signal"), "");
  await writeFile(path.join(data, "postgresql.auto.conf"), `primary_conninfo = '${place}'\n`);
  if (user) await own(data, user);
  const standbyPort = await choosePort();
  const settings = `-c port=${standbyPort} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200`;
  const control = async (args: readonly string[]) => {
    const { ok, output } = await run(binaries.pgCtl, [...args, "-w", "-s", "-D", data], { user, cwd: data });
    if (!ok) throw new Error(output);
  };
  return {
    url: Object.assign(new URL(primaryUrl), { port: String(standbyPort) }).href,
    start: () => control(["start", "-l", path.join(data, "log"), "-o", settings]),
    stop: () => control(["stop", "-m", "immediate"]),
  };
}

async function own(folder: string, user: { uid: number; gid: number }): Promise<void> {
  await chown(folder, user.uid, user.gid);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chown(path.join(entry.parentPath, entry.name), user.uid, user.gid);
}
