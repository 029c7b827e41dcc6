import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { resumeWorkspace, suspendWorkspace } from "../../src/domain/workspaces/suspend-workspace.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../support/test-client.ts";
import { PATIENCE } from "../support/patience.ts";
import { type TestServer, startOn, startTestServer } from "../support/server.ts";

let here: TestServer;
let there: TestServer;

beforeAll(async () => {
  here = await startTestServer();
  there = await startOn(here.database);
});

afterAll(async () => {
  await there.stop();
  await here.close();
});

/** One request to each API. */
function requestEach(client: TestClient): Promise<TestAnswer[]> {
  return Promise.all([
    client.graphql("{ viewer { scopes } }"),
    client.graphql('mutation { createTask(input: { title: "x" }) { task { uuid } } }'),
    client.get("/api/v1/whoami"),
    client.get("/api/v1/tasks"),
    client.post("/api/v1/messages", { parts: [{ text: "x" }] }),
    client.post("/api/v1/agent_tokens"),
    client.post("/api/v1/socket_tokens"),
    client.get("/api/v1/operator/robots"),
  ]);
}

function getCode({ body }: TestAnswer): string {
  return String(body.code ?? body.errors?.[0].extensions.code ?? "").toLowerCase();
}

async function expectSuspended(client: TestClient): Promise<void> {
  for (const answer of await requestEach(client)) {
    expect(answer.status).toBe(403);
    expect(getCode(answer)).toMatch(/^(workspace_suspended)$/);
  }
}

describe("a suspended workspace", () => {
  it("is rejected by every API at once on this node, and within five seconds on others, until it is resumed", async () => {
    const { workspaceId, apiKey } = await here.createWorkspace();
    const minted = await createTestClient(here.url, apiKey).post("/api/v1/agent_tokens");
    const bearers = [apiKey, minted.body.token];
    const [near, far] = [here, there].map(({ url }) =>
      bearers.map((bearer) => createTestClient(url, bearer)),
    );
    for (const client of [...(near ?? []), ...(far ?? [])]) {
      for (const answer of await requestEach(client)) expect(answer.status).not.toBe(401);
    }
    await suspendWorkspace(here.systemCtx(workspaceId));
    for (const client of near ?? []) await expectSuspended(client);
    for (const client of far ?? []) await vi.waitFor(() => expectSuspended(client), PATIENCE);
    await resumeWorkspace(here.systemCtx(workspaceId));
    for (const client of near ?? []) expect((await client.get("/api/v1/whoami")).status).toBe(200);
  });

  it("doesn't affect others", async () => {
    const [one, other] = [await here.createWorkspace(), await here.createWorkspace()];
    const client = createTestClient(here.url, other.apiKey);
    expect((await client.get("/api/v1/whoami")).status).toBe(200);
    await suspendWorkspace(here.systemCtx(one.workspaceId));
    expect((await client.get("/api/v1/whoami")).status).toBe(200);
  });

  it("writes one event, one audit event and one revocation", async () => {
    const { workspaceId } = await here.createWorkspace();
    const ctx = here.systemCtx(workspaceId);
    const at = await suspendWorkspace(ctx);
    expect(await suspendWorkspace(ctx)).toEqual(at);
    const { query } = here.database;
    const count = async (text: string) => (await query(text, [workspaceId])).length;
    expect(await count("SELECT 1 FROM event WHERE workspace_id = $1 AND type = 'workspace.suspended'")).toBe(
      1,
    );
    expect(
      await count("SELECT 1 FROM audit_event WHERE workspace_id = $1 AND action = 'workspace.suspended'"),
    ).toBe(1);
    expect(await count("SELECT 1 FROM revocation WHERE workspace_id = $1 AND kind = 'workspace'")).toBe(1);
  });
});
