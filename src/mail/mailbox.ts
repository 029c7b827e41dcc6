import { mkdir, open, readFile, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Mailer } from "../domain/emails/email.ts";
import { renderEmail } from "./emails/render-email.ts";

const shape = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
});

/** An email in the mailbox. */
export type MailboxEmail = z.output<typeof shape>;

/** An email in the mailbox's list. */
export type MailboxEntry = Pick<MailboxEmail, "to" | "subject"> & { id: string; at: Date };

/** A UUIDv7 starts with the time, so files sorted by name are sorted by time. */
const FILE = /^([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\.json$/;
/** Also matches files that are being written or were left by a crash. */
const ANY_FILE = /^([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\.json(?:\.part)?$/;
const LISTED = 100;
const KEPT_MS = 30 * 86_400_000;

/** Writes each email to a JSON file in DATA_DIR/mailbox instead of sending it. */
export function createMailboxMailer(dataDir: string, log: Logger): Mailer {
  const directory = getMailboxDir(dataDir);
  return {
    isProvider: false,
    send: async (to, email) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = path.join(directory, `${uuidv7()}.json`);
      const written: MailboxEmail = { to, ...renderEmail(email) };
      await writeAtomically(file, `${JSON.stringify(written, null, 2)}\n`);
      log.info({ file }, "an email was written to the mailbox");
    },
  };
}

/** Readers of the folder see only complete emails, even after a crash. */
async function writeAtomically(file: string, content: string): Promise<void> {
  const unfinished = `${file}.part`;
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

/** Lists the emails of the mailbox, newest first, at most 100. */
export async function listMailbox(dataDir: string): Promise<MailboxEntry[]> {
  const ids = (await listFiles(getMailboxDir(dataDir))).flatMap((name) => FILE.exec(name)?.[1] ?? []);
  const newest = ids.toSorted().toReversed().slice(0, LISTED);
  const entries = await Promise.all(newest.map((id) => findEntry(dataDir, id)));
  return entries.filter((entry) => entry !== null);
}

async function findEntry(dataDir: string, id: string): Promise<MailboxEntry | null> {
  const email = await readMailboxEmail(dataDir, id);
  return email === null ? null : { id, at: getUuidTime(id), to: email.to, subject: email.subject };
}

/** Reads an email of the mailbox by its id. Null if it does not exist. */
export async function readMailboxEmail(dataDir: string, id: string): Promise<MailboxEmail | null> {
  const name = `${id}.json`;
  if (!FILE.test(name)) return null;
  try {
    return shape.parse(JSON.parse(await readFile(path.join(getMailboxDir(dataDir), name), "utf8")));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Deletes emails of the mailbox that are older than 30 days.
 *
 * @returns the number of deleted files.
 */
export async function deleteOldMail(dataDir: string, now: Date = new Date()): Promise<number> {
  const directory = getMailboxDir(dataDir);
  const old = (await listFiles(directory)).filter((name) => {
    const id = ANY_FILE.exec(name)?.[1];
    return id !== undefined && getUuidTime(id).getTime() <= now.getTime() - KEPT_MS;
  });
  for (const name of old) await rm(path.join(directory, name), { force: true });
  return old.length;
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function getMailboxDir(dataDir: string): string {
  return path.join(dataDir, "mailbox");
}

/** Returns the time in a UUIDv7. */
function getUuidTime(id: string): Date {
  return new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
