import type { NewWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createKeyWith } from "./callers.ts";
import { type TestClient, createTestClient } from "./test-client.ts";
import { type TestServer, startTestServer } from "./server.ts";

/** A server with one workspace, as most API tests need it. */
export type TestWorld = NewWorkspace & {
  server: TestServer;
  /** A client with the workspace's primary key, which has every scope. */
  agent: TestClient;
  /** The system's context in the workspace. */
  ctx: Ctx;
  /** Creates a client with a key of the workspace with these scopes. */
  agentWith: (...scopes: string[]) => Promise<TestClient>;
  /** Creates another workspace on the same server. */
  another: () => Promise<NewWorkspace & { agent: TestClient; ctx: Ctx }>;
};

/** Starts a server with a workspace. */
export async function createWorld(
  environment: Record<string, string> = {},
  now: Date | null = null,
): Promise<TestWorld> {
  return createWorldOn(await startTestServer(environment, now));
}

/** Creates a workspace on a server that runs. */
export async function createWorldOn(server: TestServer): Promise<TestWorld> {
  const enter = async () => {
    const workspace = await server.createWorkspace();
    const agent = createTestClient(server.url, workspace.apiKey);
    return { ...workspace, agent, ctx: server.systemCtx(workspace.workspaceId) };
  };
  const own = await enter();
  return {
    ...own,
    server,
    another: enter,
    agentWith: async (...scopes) =>
      createTestClient(server.url, await createKeyWith(server, own.workspaceId, scopes)),
  };
}
