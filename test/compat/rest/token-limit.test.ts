import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { rotateApiKey } from "../../../src/auth/api-keys/rotate-api-key.ts";
import { holdLock } from "../../support/locked-table.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TOKENS = "/api/v1/agent_tokens";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

function as(bearer: string): TestClient {
  return createTestClient(world.server.url, bearer);
}

async function mint(by: TestClient, body: object = {}) {
  const answer = await by.post(TOKENS, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Copies a token several times, each a millisecond younger. */
async function fill(id: string, times: number): Promise<void> {
  await world.server.database.query(
    `INSERT INTO agent_token (workspace_id, id, agent_id, api_key_id, digest, scopes, created_at, expires_at)
     SELECT workspace_id, gen_random_uuid(), agent_id, api_key_id, sha256((n || id::text)::bytea), scopes,
       created_at + n * interval '1 ms', expires_at
     FROM agent_token, generate_series(1, ${times}) n WHERE id = $1`,
    [id],
  );
}

/** The revoked tokens of a token's agent, from the workspace's audit log. */
async function readRevoked({ agent_id: id }: { agent_id: string }): Promise<string[]> {
  const rows = await world.server.database.query<{ id: string }>(
    `SELECT t.id FROM agent_token t JOIN audit_event a ON a.target_id = t.id::text AND a.action = 'agent_token.revoked'
     JOIN event e ON e.subject_id = t.id AND e.type = 'agent_token.revoked'
     WHERE t.agent_id = $1 AND t.revoked_at IS NOT NULL`,
    [id],
  );
  return rows.map((row) => row.id);
}

describe("POST /api/v1/agent_tokens", () => {
  it("rejects more than 1,000 valid tokens of an agent, names the oldest, and doesn't affect other agents", async () => {
    const key = await world.agentWith("tasks:read", "agents:write");
    const first = await mint(key, { name: "first" });
    await fill(first.id, 999);
    const refused = await key.post(TOKENS);
    expectProblem(refused, 409, "token_limit");
    expect(refused.body.detail).toMatch(/revoke the oldest/);
    expect(refused.body.tokens).toHaveLength(10);
    expect(refused.body.tokens).toContainEqual({
      ...{ id: first.id, name: "first", created_at: expect.any(String), last_used_at: null },
      expires_at: first.expires_at,
    });
    await mint(key, { agent: { handle: `a-${crypto.randomUUID()}` } });
    expect((await key.delete(`${TOKENS}/${first.id}`)).status).toBe(204);
    await mint(key);
    expectProblem(await key.post(TOKENS), 409, "token_limit");
  });

  it("revokes the oldest token for a new one if requested", async () => {
    const key = await world.agentWith("tasks:read");
    const [oldest, second] = [await mint(key), await mint(key)];
    expect(await readRevoked(await mint(key, { revoke_oldest: true }))).toEqual([]);
    await fill(second.id, 997);
    const next = await mint(key, { revoke_oldest: true });
    expect(await readRevoked(next)).toEqual([oldest.id]);
    expectProblem(await as(oldest.token).get("/api/v1/whoami"), 401, "invalid_token");
    expect((await as(second.token).get("/api/v1/whoami")).status).toBe(200);
    expectProblem(await key.post(TOKENS), 409, "token_limit");
  });

  it("counts tokens of the keys it was rotated from", async () => {
    const { secret, apiKey } = await createApiKey(world.ctx, { name: "Old", scopes: ["tasks:read"] });
    const old = as(secret);
    const first = await mint(old);
    await fill(first.id, 999);
    const successor = as((await rotateApiKey(world.ctx, apiKey.id)).secret);
    for (const key of [old, successor]) expectProblem(await key.post(TOKENS), 409, "token_limit");
  });

  it("keeps the limit when two keys of a lineage mint concurrently", async () => {
    const { server, workspaceId } = world;
    const { secret, apiKey } = await createApiKey(world.ctx, { name: "Twice", scopes: ["tasks:read"] });
    const old = as(secret);
    await fill((await mint(old)).id, 998);
    const successor = as((await rotateApiKey(world.ctx, apiKey.id)).secret);
    const statement = "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE";
    const head = await holdLock(server.database, statement, [workspaceId]);
    const minted = [old, successor].map((key) => key.post(TOKENS));
    await head.waiters(2);
    await head.release();
    const statuses = (await Promise.all(minted)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});
