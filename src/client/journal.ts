import { type FileHandle, mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import type { Schemas } from "./api-types.ts";
import { lockFile } from "./journal-lock.ts";

type Command = Schemas["AgentCommand"];

/** What came of a command, as it is reported. */
export type CommandOutcome = Schemas["AgentCommandResult"];

/**
 * How far a command came: `started` before anything is done for it, `done` when it is known what came of it,
 * `reported` when the service knows that too, or wants to know no more.
 */
export type JournalEntry =
  | { state: "started"; command: Command }
  | { state: "done"; command: Command; outcome: CommandOutcome }
  | { state: "reported"; id: string; outcome: CommandOutcome | null };

/** What was begun and is not reported. */
type OpenEntry = Exclude<JournalEntry, { state: "reported" }>;

/** What an agent has done about its commands, on disk: every change is there before the call returns. */
export type Journal = {
  read: (id: string) => JournalEntry | undefined;
  /** Oldest first. */
  open: () => OpenEntry[];
  write: (entry: JournalEntry) => Promise<void>;
  close: () => Promise<void>;
};

/** Commands whose end is remembered: the service may deliver again what it has not heard of. */
const REMEMBERED = 1000;
/** Lines after which the file is written anew. */
const MOST_LINES = 10_000;

/**
 * Opens the journal of one agent, and makes it where it is not there. One process may have it open.
 *
 * @throws {Error} where another process that runs has it open, or the file is no journal.
 */
export async function openJournal(file: string): Promise<Journal> {
  await mkdir(path.dirname(file), { recursive: true });
  const unlock = await lockFile(path.resolve(`${file}.lock`));
  try {
    let entries = await readEntries(file);
    let lines = 0;
    let handle = await compact(file, entries);
    let writing: Promise<void> = Promise.resolve();
    let isTorn = false;

    async function append(entry: JournalEntry): Promise<void> {
      const isOver = isTorn || lines >= MOST_LINES;
      // Where the disk fails, the file may end in half a line: the next entry comes into a new one.
      isTorn = true;
      if (isOver) await startAnew(entry);
      else {
        await handle.appendFile(toLine(entry));
        await handle.datasync();
        put(entries, entry);
        lines++;
      }
      isTorn = false;
    }

    async function startAnew(entry: JournalEntry): Promise<void> {
      const kept = put(new Map(entries), entry);
      await handle.close();
      handle = await compact(file, kept);
      entries = kept;
      lines = 0;
    }

    return {
      read: (id) => entries.get(id),
      open: () => [...entries.values()].filter((entry) => entry.state !== "reported"),
      write: async (entry) => {
        // One after the other, whatever becomes of the one before.
        writing = writing.catch(() => {}).then(() => append(entry));
        await writing;
      },
      close: async () => {
        await writing.catch(() => {});
        await handle.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** The newest last. */
function put(entries: Map<string, JournalEntry>, entry: JournalEntry): Map<string, JournalEntry> {
  const id = entry.state === "reported" ? entry.id : entry.command.id;
  entries.delete(id);
  return entries.set(id, entry);
}

function toLine(entry: JournalEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

async function readEntries(file: string): Promise<Map<string, JournalEntry>> {
  const entries = new Map<string, JournalEntry>();
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (getErrorCode(error) === "ENOENT") return "";
    throw error;
  });
  // What stands behind the last end of a line was being written when the process died: nothing came of it.
  const lines = text.split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const entry = parse(line);
    if (entry === null) throw new Error(`${file}, line ${index + 1}, is not an entry of a journal`);
    put(entries, entry);
  }
  return entries;
}

function parse(line: string): JournalEntry | null {
  try {
    // Written by lineOf alone.
    const entry = JSON.parse(line) as JournalEntry;
    return ["started", "done", "reported"].includes(entry.state) ? entry : null;
  } catch {
    return null;
  }
}

/** Writes what is still of use into a file of its own, which then takes the place of the old one. */
async function compact(file: string, entries: Map<string, JournalEntry>): Promise<FileHandle> {
  const reported = [...entries].filter(([, { state }]) => state === "reported");
  for (const [id] of reported.slice(0, -REMEMBERED)) entries.delete(id);
  const fresh = `${file}.new`;
  const handle = await open(fresh, "w");
  await handle.writeFile([...entries.values()].map(toLine).join(""));
  await handle.sync();
  await rename(fresh, file);
  await syncFolder(path.dirname(file));
  return handle;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
