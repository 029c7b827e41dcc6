import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listRecentEvents } from "../../../src/domain/event-log/list-recent-events.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("listRecentEvents", () => {
  it("returns the workspace's newest events first, up to the limit", async () => {
    const [ctx, other] = await Promise.all(
      [0, 1].map(async () => (await server.createWorkspace()).workspaceId),
    );
    const mine = server.systemCtx(ctx ?? "");
    const ids: string[] = [];
    for (const title of ["first", "second", "third"]) ids.push((await createTask(mine, { title })).id);
    await createTask(server.systemCtx(other ?? ""), { title: "theirs" });
    const events = await listRecentEvents(mine, { first: 2 });
    expect(events.map(({ type, subjectId }) => [type, subjectId])).toEqual([
      ["task.created", ids[2]],
      ["task.created", ids[1]],
    ]);
  });

  it("omits events the caller may not read", async () => {
    const { workspaceId } = await server.createWorkspace();
    const system = server.systemCtx(workspaceId);
    const agent = { id: await insertTestAgent(system), workspaceId };
    await createTask(system, { title: "x" });
    const ctx = agentCtx(server, agent, { scopes: ["events:read", "agents:read"] });
    const seen = await listRecentEvents(ctx);
    expect(seen.map(({ subjectType }) => subjectType)).not.toContain("task");
    const both = agentCtx(server, agent, { scopes: ["events:read", "tasks:read"] });
    const all = await listRecentEvents(both);
    expect(all.map(({ subjectType }) => subjectType)).toEqual(["task", "workspace"]);
  });

  it("rejects an actor without the scope, and a size out of range", async () => {
    const { workspaceId } = await server.createWorkspace();
    const agent = { id: crypto.randomUUID(), workspaceId };
    const ctx = agentCtx(server, agent, { scopes: ["tasks:read"] });
    await expect(listRecentEvents(ctx)).rejects.toMatchObject({ code: "insufficient_scope" });
    const mine = server.systemCtx(workspaceId);
    await expect(listRecentEvents(mine, { first: 501 })).rejects.toMatchObject({ code: "validation_failed" });
  });
});
