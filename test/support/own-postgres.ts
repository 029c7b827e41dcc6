import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { expect } from "vitest";
import { startTemporary } from "../../src/db/embedded-temporary.ts";
import { migrate } from "../../src/db/migrate.ts";
import type { TestDatabase } from "./database.ts";

/** A test's own PostgreSQL server with a migrated database. */
export type OwnPostgres = TestDatabase & {
  /** Kills it like a failing machine. */
  kill: () => Promise<void>;
  /** Starts it again after a kill. */
  restart: () => Promise<void>;
};

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const log = pino({ level: "silent" });
  const embedded = await startTemporary(log);
  await migrate(embedded.url, log);
  const pool = new pg.Pool({ connectionString: embedded.url, max: 2 });
  pool.on("error", () => {});
  return {
    url: embedded.url,
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    kill: async () => {
      const sessions = await pool.query<{ pid: number }>("SELECT pid FROM pg_stat_activity");
      const [server] = (
        await readFile(join(embedded.directory, "cluster", "data", "postmaster.pid"), "utf8")
      ).split("\n");
      process.kill(Number(server), "SIGKILL");
      // Sessions would notice it soon, but first end what they do.
      for (const { pid } of sessions.rows) killIfAlive(pid);
      // A process that is killed gives up its port a moment later.
      await expect.poll(() => isTaken(embedded.url)).toBe(false);
    },
    restart: async () => {
      const { url } = embedded;
      expect(await embedded.ensureRunning()).toBe(true);
      // Servers on it know no other.
      expect(embedded.url).toBe(url);
    },
    drop: async () => {
      await pool.end();
      await embedded.stop();
    },
  };
}

function isTaken(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
