import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { revokeApiKey } from "../../src/auth/api-keys/revoke-api-key.ts";
import { noteRevokedUses } from "../../src/auth/note-revoked-use.ts";
import { revokeScimToken } from "../../src/auth/scim-tokens/revoke-scim-token.ts";
import { rotateScimToken } from "../../src/auth/scim-tokens/rotate-scim-token.ts";
import { PATIENCE } from "../support/patience.ts";
import { SEEN } from "../support/people.ts";
import { createTestClient } from "../support/test-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const ACTION = "credential.used_after_revocation";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

type Row = { type: string; target: string; actor: string; ip: string; agent: string; request: string };

async function readNotes(id: string): Promise<Row[]> {
  return world.server.database.query<Row>(
    `SELECT target_type AS type, target_id AS target, actor ->> 'id' AS actor, ip, user_agent AS agent,
       request_id AS request
     FROM audit_event WHERE action = $1 AND target_id = $2 ORDER BY seq`,
    [ACTION, id],
  );
}

async function waitForNotes(id: string): Promise<Row[]> {
  return vi.waitFor(async () => {
    const rows = await readNotes(id);
    expect(rows).not.toEqual([]);
    return rows;
  }, PATIENCE);
}

describe("noteRevokedUses", () => {
  it("audits the use of a revoked key and its tokens, each once per hour", async () => {
    const { agent, ctx } = await world.another();
    const { credential } = (await agent.get("/api/v1/whoami")).body;
    const { token } = (await agent.post("/api/v1/agent_tokens")).body;
    const minted = createTestClient(world.server.url, token);
    const tokenId = (await minted.get("/api/v1/whoami")).body.credential.id;
    expect(await readNotes(credential.id)).toEqual([]);
    await revokeApiKey(ctx, credential.id);
    for (const request of ["first", "second", "third"]) {
      const headers = { "user-agent": "A thief", "x-request-id": request };
      expect((await agent.get("/api/v1/whoami", headers)).status).toBe(401);
    }
    const headers = { "user-agent": "Another", "x-request-id": "last" };
    expect((await minted.get("/api/v1/whoami", headers)).status).toBe(401);
    const [of] = await world.server.database.query<{ agent: string }>(
      "SELECT agent_id AS agent FROM api_key WHERE id = $1",
      [credential.id],
    );
    const seen = { actor: of?.agent, ip: "127.0.0.1" };
    expect(await waitForNotes(tokenId)).toEqual([
      { type: "agent_token", target: tokenId, ...seen, agent: "Another", request: "last" },
    ]);
    expect(await waitForNotes(credential.id)).toEqual([
      { type: "api_key", target: credential.id, ...seen, agent: "A thief", request: "first" },
    ]);
  });

  it("audits the use of a revoked SCIM token", async () => {
    const { ctx } = await world.another();
    const { secret, scimToken } = await rotateScimToken(ctx, {});
    await revokeScimToken(ctx, scimToken.id);
    const answer = await createTestClient(world.server.url, secret).get("/scim/v2/Users");
    expect(answer.status).toBe(401);
    expect(await waitForNotes(scimToken.id)).toMatchObject([{ type: "scim_token", actor: scimToken.id }]);
  });

  it("ignores bearers that never existed", async () => {
    const unknown = createTestClient(world.server.url, `${world.apiKey.slice(0, -1)}x`);
    expect((await unknown.get("/api/v1/whoami")).status).toBe(401);
    const rows = await world.server.database.query(
      "SELECT 1 FROM audit_event WHERE action = $1 AND workspace_id = $2",
      [ACTION, world.workspaceId],
    );
    expect(rows).toEqual([]);
  });

  it("retries with the next use if it couldn't be written", async () => {
    const { services } = world.server;
    const note = noteRevokedUses(services);
    const { ctx, agent } = await world.another();
    const { id } = (await agent.get("/api/v1/whoami")).body.credential;
    const lost = { kind: "api_key", id, actor: ctx.actor, workspaceId: crypto.randomUUID() } as const;
    const before = world.server.logged.length;
    note(lost, SEEN);
    await expect
      .poll(() => world.server.logged.slice(before).join(""))
      .toContain("revoked credential could not be recorded");
    note({ ...lost, workspaceId: ctx.workspaceId }, SEEN);
    expect(await waitForNotes(id)).toHaveLength(1);
  });
});
