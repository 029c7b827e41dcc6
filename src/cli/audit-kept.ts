import { open } from "node:fs/promises";
import { type AuditCheckpoint, checkpointShape } from "../domain/audit/audit-checkpoint.ts";
import { readKeptCheckpoint } from "../domain/audit/kept-checkpoint.ts";
import { createFieldError } from "../domain/kernel/errors.ts";

/** Where checkpoints are kept outside the database. */
export type KeptSource = "file" | "data_dir";

/** Checkpoints of a workspace that are kept outside the database, and the sources read so far. */
export type KeptCheckpoints = {
  checkpoints: () => AsyncGenerator<AuditCheckpoint>;
  compared: KeptSource[];
};

type Places = { dataDir: string; file: string | null; workspaceId: string };

/**
 * Reads the checkpoints of a workspace from an exported file, and the newest one that this machine keeps.
 * Only one is in memory at a time.
 *
 * @throws {DomainError} during iteration: validation_failed if the file can't be read, is not an export or
 *   has no checkpoint of the workspace.
 */
export function readKeptCheckpoints(places: Places): KeptCheckpoints {
  const compared: KeptSource[] = [];
  async function* checkpoints(): AsyncGenerator<AuditCheckpoint> {
    if (places.file !== null) {
      yield* readCheckpoints(places.file, places.workspaceId);
      compared.push("file");
    }
    const kept = await readKeptCheckpoint(places.dataDir, places.workspaceId);
    if (kept === null) return;
    compared.push("data_dir");
    yield kept;
  }
  return { checkpoints, compared };
}

async function* readCheckpoints(file: string, workspaceId: string): AsyncGenerator<AuditCheckpoint> {
  let [line, found] = [0, 0];
  const handle = await openFile(file);
  try {
    for await (const text of handle.readLines()) {
      line += 1;
      const checkpoint = parseCheckpoint(text, line);
      if (checkpoint?.workspace_id !== workspaceId) continue;
      found += 1;
      yield checkpoint;
    }
  } finally {
    await handle.close();
  }
  if (found === 0) throw createFieldError("checkpoints", "has no checkpoint of this workspace");
}

async function openFile(file: string) {
  try {
    return await open(file);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw createFieldError("checkpoints", `can't be read${reason}`);
  }
}

/** Returns null for a row of the log and for an empty line. */
function parseCheckpoint(text: string, line: number): AuditCheckpoint | null {
  if (text.trim() === "") return null;
  const value = parseJson(text, line);
  if (typeof value === "object" && value !== null && "type" in value && value.type === "audit_event")
    return null;
  const parsed = checkpointShape.safeParse(value);
  if (!parsed.success)
    throw createFieldError("checkpoints", `has neither an audit row nor a checkpoint on line ${line}`);
  return parsed.data;
}

function parseJson(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createFieldError("checkpoints", `has invalid JSON on line ${line}`);
  }
}
