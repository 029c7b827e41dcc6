import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

const BYTES = 32;

/**
 * Reads a file with a key of 32 bytes in base64, and creates it if it is missing.
 *
 * @throws if it is invalid, or can't be read or created.
 */
export async function readKeyFile(file: string): Promise<Buffer> {
  const key = Buffer.from((await readOrCreate(file)).trim(), "base64");
  if (key.length === BYTES) return key;
  throw new Error(
    `${file} is not a valid key: it must contain ${BYTES} bytes in base64. Restore it from a backup.`,
  );
}

async function readOrCreate(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
  await createKeyFile(file);
  return readFile(file, "utf8");
}

/** Creates the file atomically: of two processes one wins, and a reader never sees a partial key. */
async function createKeyFile(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${crypto.randomUUID()}`;
  const text = `${randomBytes(BYTES).toString("base64")}\n`;
  await writeFile(draft, text, { mode: 0o600, flag: "wx", flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
