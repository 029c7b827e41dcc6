import { open, readFile, rm } from "node:fs/promises";
import { wait } from "./wait.ts";

/** Locks of this very process. */
const HELD = new Set<string>();
const ATTEMPTS = 5;
/** Who makes a lock has named himself in it after a few of these. */
const NAMED_MS = 200;

/**
 * Makes a file that names this process, which at most one process has at a time; that of a process that is dead is
 * taken over. Processes see each other only on one machine, and in one container.
 *
 * @param file its absolute path.
 * @returns what gives it up.
 * @throws {Error} where a process that runs has it.
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
      throw new Error(`process ${owner.split(" ")[0]} has the journal open: ${file}`);
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

/** Of several who find the owner dead, one at a time looks again: the next one finds the new owner. */
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
  // Where its start can't be known, it is taken for the owner.
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

/** A process by its number and, where the system tells it, its start: after a restart another has its number. */
async function getProcessName(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // What comes before, in parentheses, is its program's name, which may hold anything.
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return start === undefined ? String(pid) : `${pid} ${start}`;
}

/** Empty where nobody is named, or there is no such file. */
async function readOwner(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
