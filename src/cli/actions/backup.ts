import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { access, link, rm } from "node:fs/promises";
import { Duplex, type Writable } from "node:stream";
import { readVersion } from "../../config/version.ts";
import { checkBackup, restoreBackup } from "../../db/backup/restore-backup.ts";
import { type BackupSummary, writeBackup } from "../../db/backup/write-backup.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { type DatabaseCommand, withDatabase } from "../run-on-database.ts";
import type { CommandAnswer, Terminal } from "../terminal.ts";

type RestoreOptions = { file: string; dryRun?: boolean; replace?: boolean };

/** Writes a backup of the database. */
export async function runBackup(
  command: DatabaseCommand,
  { file }: { file: string },
): Promise<CommandAnswer> {
  return withDatabase(command, { creates: false }, async (databaseUrl) => {
    const given = { version: readVersion(), signal: command.signal };
    if (file === "-") {
      await writeBackup(databaseUrl, { ...given, output: toStream(command.terminal) });
      return { json: null, lines: [] };
    }
    const summary = await writeWhole(file, (output) => writeBackup(databaseUrl, { ...given, output }));
    return {
      json: { file, ...summaryJson(summary) },
      lines: [
        `Wrote ${summaryLine(summary)} to ${file}.`,
        ...(command.config.databaseUrl === null
          ? [`Keep audit.key and secrets.key of ${command.config.dataDir} elsewhere: they are not in it.`]
          : ["Keep AUDIT_KEY and SECRETS_KEY elsewhere: they are not in it."]),
      ],
    };
  });
}

/** Checks a backup, and restores it unless it is a dry run. */
export async function runRestore(
  command: DatabaseCommand,
  { file, dryRun = false, replace = false }: RestoreOptions,
): Promise<CommandAnswer> {
  const { signal, log } = command;
  await access(file).catch((error: unknown) => rejectFile(error, "can't be read"));
  const checked = await checkBackup(file, signal);
  const json = { file, ...summaryJson(checked), restored: !dryRun };
  if (dryRun) return { json, lines: [`${file} is intact: ${summaryLine(checked)}.`] };
  await withDatabase(command, { creates: true }, (databaseUrl) =>
    restoreBackup(databaseUrl, { file, checked }, { replace, log, signal }),
  );
  return {
    json,
    lines: [
      `Restored ${summaryLine(checked)}.`,
      "Clients that follow events are told to read their lists again. Credentials that were revoked, and approvals",
      "that were used, after the backup are valid again: look through them before you start the servers.",
    ],
  };
}

/** A file appears under its name when it is complete and on the disk. Only its owner can read it. */
async function writeWhole<Result>(
  file: string,
  write: (output: Writable) => Promise<Result>,
): Promise<Result> {
  const draft = `${file}.${process.pid}.part`;
  const output = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
  try {
    await once(output, "open").catch((error: unknown) => rejectFile(error, "can't be written"));
    const result = await write(output);
    // Unlike a rename, this never replaces another file.
    await link(draft, file).catch((error: unknown) => rejectFile(error, "can't be written"));
    return result;
  } finally {
    output.destroy();
    await rm(draft, { force: true });
  }
}

function rejectFile(error: unknown, what: string): never {
  const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  throw createFieldError("file", `${what}${reason}`);
}

function toStream(terminal: Terminal): Writable {
  return Duplex.from(async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await terminal.write(chunk);
  });
}

function summaryJson({ header, tables, rows, sha256 }: BackupSummary): Record<string, unknown> {
  const { version, takenAt, migrations } = header;
  return {
    version,
    taken_at: takenAt,
    migration: migrations.at(-1)?.name ?? null,
    tables,
    rows,
    sha256,
  };
}

function summaryLine({ header, tables, rows }: BackupSummary): string {
  return `${rows} rows of ${tables} tables, as they were at ${header.takenAt}`;
}
