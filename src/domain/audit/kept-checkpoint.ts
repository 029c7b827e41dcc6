import { mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { type AuditCheckpoint, checkpointShape } from "./audit-checkpoint.ts";

/**
 * Reads the newest checkpoint of a workspace that this machine has kept in DATA_DIR/audit-checkpoints. Null
 * if there is none.
 *
 * @throws if the file can't be read or is not a checkpoint.
 */
export async function readKeptCheckpoint(
  dataDir: string,
  workspaceId: string,
): Promise<AuditCheckpoint | null> {
  const file = getFilePath(dataDir, workspaceId);
  const text = await readText(file);
  if (text === null) return null;
  const parsed = checkpointShape.safeParse(parseJson(text));
  if (parsed.success && parsed.data.workspace_id === workspaceId) return parsed.data;
  throw new Error(`${file} is not a checkpoint of this workspace`);
}

/** Keeps a checkpoint as the newest of its workspace. The file is replaced atomically. */
export async function keepCheckpoint(dataDir: string, checkpoint: AuditCheckpoint): Promise<void> {
  const file = getFilePath(dataDir, checkpoint.workspace_id);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(checkpoint)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

function getFilePath(dataDir: string, workspaceId: string): string {
  return path.join(dataDir, "audit-checkpoints", `${workspaceId}.json`);
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
