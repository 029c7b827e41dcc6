import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { startEmbedded, type EmbeddedDatabase } from "./embedded.ts";

/** Starts a PostgreSQL server in a temporary folder, which `stop` removes. For tests and tools. */
export async function startTemporary(log: Logger): Promise<EmbeddedDatabase> {
  const parent = await mkdtemp(join(tmpdir(), "agent-ops-"));
  // As root, PostgreSQL runs as another user, who must be able to enter it.
  await chmod(parent, 0o711);
  try {
    const database = await startEmbedded({
      directory: join(parent, "postgres"),
      log,
      durable: false,
    });
    const { stop } = database;
    return Object.assign(database, {
      stop: async () => {
        await stop();
        await remove(parent);
      },
    });
  } catch (error) {
    await remove(parent);
    throw error;
  }
}

async function remove(folder: string): Promise<void> {
  // A stopping server may still create and remove files.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
