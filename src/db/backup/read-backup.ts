import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { BackupError } from "./backup-error.ts";
import {
  ROWS_END,
  parseChecksum,
  parseHeader,
  parseTable,
  type BackupHeader,
  type BackupTable,
} from "./backup-format.ts";

/** Takes a table's rows: parts of whole lines. Reads all of them. */
export type TakeRows = (table: BackupTable, rows: AsyncIterable<Buffer>) => Promise<void>;

const CHUNK_BYTES = 1_048_576;
const HEADER_BYTES = 4_194_304;
/** Far more than a row can have: a small file may be decompressed to a line without an end. */
const ROW_BYTES = 268_435_456;
const ROWS_END_LATER = Buffer.concat([Buffer.from("\n"), ROWS_END]);

/**
 * Reads a backup to its end and compares its checksum. What `take` did with the rows counts only if this resolves.
 *
 * @throws {BackupError} backup_unknown if it is no backup of this format; backup_damaged if it is not complete or was
 *   changed.
 */
export async function readBackup(
  file: string,
  { take, signal }: { take: TakeRows; signal: AbortSignal },
): Promise<{ header: BackupHeader; sha256: string }> {
  try {
    return await pipeline(
      createReadStream(file),
      createGunzip({ chunkSize: CHUNK_BYTES }),
      (chunks: AsyncIterable<Buffer>) => readText(chunks, take),
      { signal },
    );
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw createDamage(`it can't be decompressed (${error.message})`, error);
    throw error;
  }
}

async function readText(
  chunks: AsyncIterable<Buffer>,
  take: TakeRows,
): Promise<{ header: BackupHeader; sha256: string }> {
  const hash = createHash("sha256");
  const reader = createReader(chunks, (bytes) => hash.update(bytes));
  const header = parseHeader((await reader.readLine()) ?? "");
  if (header === null)
    throw new BackupError("backup_unknown", "The file is no backup that this version can read.");
  for (;;) {
    const sha256 = hash.copy().digest("hex");
    const line = await reader.readLine();
    if (line === null) throw createDamage("its end is missing");
    const named = parseChecksum(line);
    if (named !== null) {
      if (named !== sha256) throw createDamage("its checksum differs");
      if (await reader.hasMore()) throw createDamage("something follows its end");
      return { header, sha256 };
    }
    const table = parseTable(line);
    if (table === null) throw createDamage("a table's name is not where it should be");
    await take(table, reader.readRows());
  }
}

/** @param note is told all bytes in order, each line or part of rows before the next is read. */
function createReader(chunks: AsyncIterable<Buffer>, note: (bytes: Buffer) => void) {
  const source = chunks[Symbol.asyncIterator]();
  // Begins where a line begins.
  let held: Buffer = Buffer.alloc(0);

  /** Reads until another line ends, so that each byte of a long one is looked at once. */
  async function readMore(): Promise<boolean> {
    const parts = [held];
    let length = held.length;
    for (;;) {
      const next = await source.next();
      if (next.done === true) break;
      parts.push(next.value);
      length += next.value.length;
      if (next.value.includes("\n")) break;
      if (length > ROW_BYTES) throw createDamage("a row is too long");
    }
    held = Buffer.concat(parts, length);
    return parts.length > 1;
  }

  function remove(length: number): Buffer {
    const removed = held.subarray(0, length);
    held = held.subarray(length);
    note(removed);
    return removed;
  }

  /** Returns null at the end, or if the line is not complete. */
  async function readLine(): Promise<string | null> {
    while (!held.includes("\n")) if (held.length > HEADER_BYTES || !(await readMore())) return null;
    return remove(held.indexOf("\n") + 1).toString("utf8");
  }

  async function* readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (held.subarray(0, ROWS_END.length).equals(ROWS_END)) break;
      const end = held.indexOf(ROWS_END_LATER);
      const length = (end === -1 ? held.lastIndexOf("\n") : end) + 1;
      if (length > 0) yield remove(length);
      else if (!(await readMore())) throw createDamage("rows of a table are missing");
    }
    remove(ROWS_END.length);
  }

  async function hasMore(): Promise<boolean> {
    return held.length > 0 || (await readMore());
  }

  return { readLine, readRows, hasMore };
}

function createDamage(what: string, cause?: unknown): BackupError {
  return new BackupError("backup_damaged", `The backup is damaged: ${what}. Use another one.`, cause);
}
