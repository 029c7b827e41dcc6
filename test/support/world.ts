import type { NewWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import type { Ctx } from "../../src/domain/context.ts";
import { createKeyWith } from "./callers.ts";
import { type Client, createClient } from "./client.ts";
import { type TestServer, startTestServer } from "./server.ts";

/** A server with one workspace, as most tests of a door want it. */
export type World = NewWorkspace & {
  server: TestServer;
  /** Comes with the workspace's primary key, which holds every scope. */
  agent: Client;
  /** The service itself, in the workspace. */
  ctx: Ctx;
  /** Comes with a key of the workspace that holds these scopes. */
  agentWith: (...scopes: string[]) => Promise<Client>;
  /** Makes another workspace on the same server. */
  another: () => Promise<NewWorkspace & { agent: Client; ctx: Ctx }>;
};

/** Starts a server with a workspace. */
export async function createWorld(
  environment: Record<string, string> = {},
  now: Date | null = null,
): Promise<World> {
  const server = await startTestServer(environment, now);
  const enter = async () => {
    const workspace = await server.createWorkspace();
    const agent = createClient(server.url, workspace.apiKey);
    return { ...workspace, agent, ctx: server.systemCtx(workspace.workspaceId) };
  };
  const own = await enter();
  return {
    ...own,
    server,
    another: enter,
    agentWith: async (...scopes) =>
      createClient(server.url, await createKeyWith(server, own.workspaceId, scopes)),
  };
}
