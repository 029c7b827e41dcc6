import { openServices } from "../../src/services.ts";
import { type NewWorkspace, createWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/config/logger.ts";
import { openCtx, systemCaller } from "../../src/domain/kernel/context.ts";
import { createTestDatabase } from "./database.ts";
import type { TestServer } from "./server.ts";

/** Services without a server: no emails are delivered and no sweeps run. */
export type QuietServices = Pick<
  TestServer,
  "services" | "database" | "systemCtx" | "createWorkspace" | "close"
>;

/** Opens services with their own database. */
export async function openQuietServices(): Promise<QuietServices> {
  const database = await createTestDatabase();
  const log = createLogger("silent", { write: () => {} });
  const services = await openServices(readConfig({ DATABASE_URL: database.url }), log);
  return {
    services,
    database,
    systemCtx: (workspaceId) => openCtx(services, systemCaller(workspaceId, "test")),
    createWorkspace: (name = "Test workspace"): Promise<NewWorkspace> =>
      createWorkspace(services, { name, policies: [] }),
    close: async () => {
      await services.close();
      await database.drop();
    },
  };
}
