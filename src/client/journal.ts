import { type FileHandle, mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import type { Schemas } from "./api-types.ts";
import { lockFile } from "./journal-lock.ts";

type Command = Schemas["AgentCommand"];

/** A command's result, as reported. */
export type CommandOutcome = Schemas["AgentCommandResult"];

/**
 * The state of a command: `started` before any work, `done` when its result is known, `reported` when the service has
 * received it or no longer needs it.
 */
export type JournalEntry =
  | { state: "started"; command: Command }
  | { state: "done"; command: Command; outcome: CommandOutcome }
  | { state: "reported"; id: string; outcome: CommandOutcome | null };

/** Started but not reported. */
type OpenEntry = Exclude<JournalEntry, { state: "reported" }>;

/** The agent's commands on disk. Every change is written before the call returns. */
export type Journal = {
  read: (id: string) => JournalEntry | undefined;
  /** Oldest first. */
  open: () => OpenEntry[];
  write: (entry: JournalEntry) => Promise<void>;
  close: () => Promise<void>;
};

/** Number of finished commands to remember, because the service may deliver them again. */
const REMEMBERED = 1000;
/** The file is rewritten after this many lines. */
const MOST_LINES = 10_000;

/**
 * Opens the journal of an agent, creating it if needed. Only one process can open it.
 *
 * @throws {Error} if another running process has it open, or the file is not a journal.
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
      // A failed write may leave half a line, so the next entry starts on a new one.
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
        // Writes run one at a time, even after a failed one.
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

/** Newest last. */
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
  // Text after the last line break was being written when the process crashed, so it had no effect.
  const lines = text.split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const entry = parse(line);
    if (entry === null) throw new Error(`${file}, line ${index + 1}, is not a journal entry`);
    put(entries, entry);
  }
  return entries;
}

function parse(line: string): JournalEntry | null {
  try {
    // Written only by this module.
    const entry = JSON.parse(line) as JournalEntry;
    return ["started", "done", "reported"].includes(entry.state) ? entry : null;
  } catch {
    return null;
  }
}

/** Writes the entries still needed to a new file, which then replaces the old one. */
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
  // Folders can't be opened on Windows.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
