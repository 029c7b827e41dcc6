import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type NewWorkspace, createWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/config/logger.ts";
import { type Ctx, openCtx, systemCaller } from "../../src/domain/kernel/context.ts";
import { type RunningServer, startServer } from "../../src/server.ts";
import { type TestDatabase, createTestDatabase } from "./database.ts";

/** A real server on a free port with its own database. */
export type TestServer = RunningServer & {
  database: TestDatabase;
  /** The server's log lines. */
  logged: string[];
  createWorkspace: (name?: string) => Promise<NewWorkspace>;
  /** A context of the system, to prepare rows with use cases. */
  systemCtx: (workspaceId: string) => Ctx;
  close: () => Promise<void>;
};

/** Starts a server without a rate limit. `environment` holds its environment variables. */
export async function startTestServer(
  environment: Record<string, string> = {},
  now: Date | null = null,
): Promise<TestServer> {
  const database = await createTestDatabase();
  return startOn(database, environment, now);
}

/** Starts another server on an existing database, as a second node. */
export async function startOn(
  database: TestDatabase,
  environment: Record<string, string> = {},
  now: Date | null = null,
): Promise<TestServer> {
  const logged: string[] = [];
  const log = createLogger("debug", { write: (line: string) => void logged.push(line) });
  const dataDir = await mkdtemp(path.join(tmpdir(), "agent-ops-test-"));
  const usual = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: "0", RATE_LIMIT: "0" };
  const config = readConfig({ ...usual, ...environment });
  const running = await startServer(config, log, { now, tellsPresence: false });
  const stop = async () => {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    ...running,
    stop,
    database,
    logged,
    createWorkspace: (name = "Test workspace") => createWorkspace(running.services, { name, policies: [] }),
    systemCtx: (workspaceId) => openCtx(running.services, systemCaller(workspaceId, "test")),
    close: async () => {
      await stop();
      await database.drop();
    },
  };
}
