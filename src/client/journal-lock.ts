import { open, readFile, rm } from "node:fs/promises";
import { wait } from "./wait.ts";

/** Locks held by this process. */
const HELD = new Set<string>();
const ATTEMPTS = 5;
/** After this many milliseconds, a new lock should contain its owner. */
const NAMED_MS = 200;

/**
 * Creates a lock file that names this process. A lock whose process no longer runs is taken over. Processes can only
 * see each other on the same machine and in the same container.
 *
 * @param file its absolute path.
 * @returns a function that releases the lock.
 * @throws {Error} if a running process holds the lock.
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  const own = await getProcessName(process.pid);
  for (let attempt = 1; ; attempt++) {
    if (await create(file, own)) return () => unlock(file);
    const owner = await readOwner(file);
    if (owner === "" && attempt < ATTEMPTS) {
      await wait(NAMED_MS);
      continue;
    }
    if (attempt > ATTEMPTS || (await isRunning(owner, file)))
      throw new Error(`process ${owner.split(" ")[0]} is already using the journal ${file}`);
    if (await takeOver(file, { owner, own })) return () => unlock(file);
  }
}

async function create(file: string, own: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx");
    HELD.add(file);
    await handle.writeFile(own);
    await handle.close();
    return true;
  } catch (error) {
    if (getErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function unlock(file: string): Promise<void> {
  HELD.delete(file);
  await rm(file, { force: true });
}

/** If several processes find the owner gone, they take turns, so that the next one sees the new owner. */
async function takeOver(file: string, { owner, own }: { owner: string; own: string }): Promise<boolean> {
  const unlockTurn = await lockFile(`${file}.turn`);
  try {
    if ((await readOwner(file)) !== owner) return false;
    await rm(file, { force: true });
    return await create(file, own);
  } finally {
    await unlockTurn();
  }
}

async function isRunning(owner: string, file: string): Promise<boolean> {
  if (owner === (await getProcessName(process.pid))) return HELD.has(file);
  const [number = "", start] = owner.split(" ");
  const pid = Number(number);
  if (!Number.isInteger(pid) || pid <= 0 || !isThere(pid)) return false;
  // If its start time is unknown, it counts as the owner.
  return start === undefined || [owner, number].includes(await getProcessName(pid));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === "EPERM";
  }
}

/** Identifies a process by its id and, if available, its start time, because ids are reused. */
async function getProcessName(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The program's name comes first, in parentheses, and may contain anything.
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return start === undefined ? String(pid) : `${pid} ${start}`;
}

/** Empty if the file doesn't exist or names no process. */
async function readOwner(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
