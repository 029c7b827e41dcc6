import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeApiKey } from "../../../src/auth/api-keys/revoke-api-key.ts";
import { rotateScimToken } from "../../../src/auth/scim-tokens/rotate-scim-token.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { expectProblem } from "../../support/problem.ts";
import { createIdp } from "../../support/scim-world.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { connectSocket, socketToken } from "../../support/socket-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const WHOAMI = "/api/v1/whoami";
const CENTURY_MS = 100 * 365 * 86_400_000;

let world: TestWorld;
/** A second node over the same database. */
let node: TestServer;

beforeAll(async () => {
  world = await createWorld();
  node = await startOn(world.server.database);
});

afterAll(async () => {
  await node.stop();
  await world.server.close();
});

async function readCredentialId(agent: TestClient): Promise<string> {
  return (await agent.get(WHOAMI)).body.credential.id;
}

describe("a credential's expiry", () => {
  const minted = new Date("2100-11-21T10:00:45.678Z");

  /** Asks a node whose clock shows the time this many milliseconds after a token was minted. */
  async function askAfter<Answer>(
    { server }: TestWorld,
    milliseconds: number,
    ask: (url: string) => Promise<Answer>,
  ): Promise<Answer> {
    const later = await startOn(server.database, {}, new Date(minted.getTime() + milliseconds));
    try {
      return await ask(later.url);
    } finally {
      await later.stop();
    }
  }

  /** The status of the response for the token. */
  function statusAfter(at: TestWorld, token: string, milliseconds: number): Promise<number> {
    return askAfter(at, milliseconds, async (url) => (await createTestClient(url, token).get(WHOAMI)).status);
  }

  it("is 2,592,000 seconds, or as requested, for an access token, to the millisecond", async () => {
    const past = await createWorld({}, minted);
    for (const [seconds, asked] of [
      [2_592_000, {}],
      [86_400, { expires_in: 86_400 }],
    ] as const) {
      const { token } = (await past.agent.post("/api/v1/agent_tokens", asked)).body;
      expect(await statusAfter(past, token, seconds * 1000 - 1)).toBe(200);
      expect(await statusAfter(past, token, seconds * 1000)).toBe(401);
    }
    expect(await statusAfter(past, past.apiKey, CENTURY_MS)).toBe(200);
    await past.server.close();
  });

  it("is 600 seconds for a socket token, to the millisecond", async () => {
    const past = await createWorld({}, minted);
    const token = await socketToken(past.server.url, past.apiKey);
    const init = { token };
    const last = await askAfter(past, 599_999, async (url) => {
      const socket = await connectSocket(url, { init });
      return (await socket.next()).type;
    });
    expect(last).toBe("connection_ack");
    const late = await askAfter(past, 600_000, async (url) => (await connectSocket(url, { init })).closed);
    expect(late).toEqual({ code: 4403, reason: "reauth_required" });
    await past.server.close();
  });

  it("is never for a SCIM token, the first or one that replaced it", async () => {
    const past = await createWorld({}, minted);
    const { secret } = await rotateScimToken(past.ctx, { overlapSeconds: 0 });
    const other = await past.another();
    for (const token of [secret, other.scimToken]) {
      const status = await askAfter(
        past,
        CENTURY_MS,
        async (url) => (await createIdp(url, token).get("/Users")).status,
      );
      expect(status).toBe(200);
    }
    await past.server.close();
  });

  it("is no later for an access token than for its key", async () => {
    const past = await createWorld({}, minted);
    const { token } = (await past.agent.post("/api/v1/agent_tokens")).body;
    const { database } = past.server;
    await database.query("UPDATE api_key SET expires_at = $1", [new Date(minted.getTime() + 5000)]);
    expect(await statusAfter(past, token, 4999)).toBe(200);
    for (const bearer of [token, past.apiKey]) expect(await statusAfter(past, bearer, 5000)).toBe(401);
    await past.server.close();
  });

  it("applies even while the credential is cached", async () => {
    const key = await world.agentWith("tasks:read");
    const id = await readCredentialId(key);
    const { token } = (await key.post("/api/v1/agent_tokens")).body;
    const { database } = world.server;
    await database.query("UPDATE api_key SET expires_at = now() + interval '2 seconds' WHERE id = $1", [id]);
    const agent = createTestClient(node.url, token);
    expect((await agent.get(WHOAMI)).status).toBe(200);
    const isOver = "SELECT expires_at + interval '1 second' <= now() AS over FROM api_key WHERE id = $1";
    await expect.poll(() => database.query(isOver, [id])).toEqual([{ over: true }]);
    // It would be cached for 5 seconds, but never past its expiry.
    expect((await agent.get(WHOAMI)).status).toBe(401);
  });
});

describe("the revocation of an API key", () => {
  it("applies to the key and its tokens at once on this node, and within 5 seconds on others", async () => {
    const key = await world.agentWith("tasks:read");
    const id = await readCredentialId(key);
    const tokens = [await key.post("/api/v1/agent_tokens"), await key.post("/api/v1/agent_tokens")];
    const bearers = tokens.map(({ body }) => body.token);
    const here = [key, ...bearers.map((bearer) => createTestClient(world.server.url, bearer))];
    const there = bearers.map((bearer) => createTestClient(node.url, bearer));
    for (const agent of [...here, ...there]) expect((await agent.get(WHOAMI)).status).toBe(200);

    await revokeApiKey(world.ctx, id);
    for (const agent of here) expectProblem(await agent.get(WHOAMI), 401, "invalid_token");
    for (const agent of there) {
      await expect.poll(async () => (await agent.get(WHOAMI)).status).toBe(401);
    }
    expectProblem(await key.post("/api/v1/agent_tokens"), 401, "invalid_token");
  });

  it("doesn't affect tokens of other keys", async () => {
    const [key, other] = [await world.agentWith("tasks:read"), await world.agentWith("tasks:read")];
    const { token } = (await other.post("/api/v1/agent_tokens")).body;
    await revokeApiKey(world.ctx, await readCredentialId(key));
    for (const agent of [other, createTestClient(world.server.url, token)]) {
      expect((await agent.get(WHOAMI)).status).toBe(200);
    }
  });
});

describe("the revocation of an access token", () => {
  it("reaches another node within 5 seconds", async () => {
    const { id, token } = (await world.agent.post("/api/v1/agent_tokens")).body;
    const there = createTestClient(node.url, token);
    expect((await there.get(WHOAMI)).status).toBe(200);
    await world.agent.delete(`/api/v1/agent_tokens/${id}`);
    await expect.poll(async () => (await there.get(WHOAMI)).status).toBe(401);
  });
});

describe("removing a scope from an API key", () => {
  it("affects the key and its tokens within 5 seconds", async () => {
    const key = await world.agentWith("tasks:read", "messages:read");
    const id = await readCredentialId(key);
    const minted = await key.post("/api/v1/agent_tokens");
    const agents = [
      key,
      createTestClient(world.server.url, minted.body.token),
      createTestClient(node.url, minted.body.token),
    ];
    for (const agent of agents) expect((await agent.get("/api/v1/tasks")).status).toBe(200);
    await world.server.database.query("UPDATE api_key SET scopes = '{messages:read}' WHERE id = $1", [id]);
    for (const agent of agents) {
      const readStatus = async () => (await agent.get("/api/v1/tasks")).status;
      await expect.poll(readStatus).toBe(403);
      expect((await agent.get("/api/v1/messages")).status).toBe(200);
      expect((await agent.get(WHOAMI)).body.scopes).toEqual(["messages:read"]);
    }
  });

  it("is not undone for tokens when the key gets the scope back", async () => {
    const key = await world.agentWith("tasks:read", "messages:read");
    const id = await readCredentialId(key);
    const minted = await key.post("/api/v1/agent_tokens", { scopes: ["tasks:read"] });
    await world.server.database.query(
      "UPDATE api_key SET scopes = '{tasks:read,messages:read,missions:read}' WHERE id = $1",
      [id],
    );
    const { body } = await createTestClient(world.server.url, minted.body.token).get(WHOAMI);
    expect(body.scopes).toEqual(["tasks:read"]);
  });
});

describe("the last use of a credential", () => {
  it("is recorded at most once a minute", async () => {
    const { database } = world.server;
    const key = await world.agentWith("tasks:read");
    const id = await readCredentialId(key);
    const minted = (await key.post("/api/v1/agent_tokens")).body;
    const used = async (table: string, row: string) =>
      (
        await database.query<{ at: Date | null }>(`SELECT last_used_at AS at FROM ${table} WHERE id = $1`, [
          row,
        ])
      )[0]?.at;
    const seen = async () =>
      (
        await database.query<{ at: Date | null }>("SELECT last_seen_at AS at FROM agent WHERE id = $1", [
          minted.agent_id,
        ])
      )[0]?.at;

    expect(await used("agent_token", minted.id)).toBeNull();
    await createTestClient(world.server.url, minted.token).get(WHOAMI);
    await expect.poll(() => used("agent_token", minted.id)).toBeInstanceOf(Date);
    await expect.poll(() => used("api_key", id)).toBeInstanceOf(Date);
    expect((await key.get("/api/v1/agent_tokens")).body.agent_tokens[0].last_used_at).toEqual(
      expect.any(String),
    );

    // Another node records uses by itself: the one of half a minute ago is kept, the older one isn't.
    const agent = createTestClient(node.url, minted.token);
    await database.query(
      "UPDATE agent_token SET last_used_at = now() - interval '30 seconds' WHERE id = $1",
      [minted.id],
    );
    await database.query("UPDATE agent SET last_seen_at = NULL WHERE id = $1", [minted.agent_id]);
    const before = await used("agent_token", minted.id);
    await agent.get(WHOAMI);
    // Both are written by one statement, so one tells when the other was written.
    await expect.poll(seen).toBeInstanceOf(Date);
    expect(await used("agent_token", minted.id)).toEqual(before);

    await database.query(
      "UPDATE agent_token SET last_used_at = now() - interval '61 seconds' WHERE id = $1",
      [minted.id],
    );
    const third = await startOn(database);
    await createTestClient(third.url, minted.token).get(WHOAMI);
    await expect
      .poll(async () => (await used("agent_token", minted.id))?.getTime())
      .toBeGreaterThan(Date.now() - 30_000);
    await third.stop();
  });

  it("includes the IP address for an API key", async () => {
    const key = await world.agentWith("tasks:read");
    const id = await readCredentialId(key);
    const from = () =>
      world.server.database.query("SELECT last_used_ip AS ip FROM api_key WHERE id = $1", [id]);
    await expect.poll(from).toEqual([{ ip: "127.0.0.1" }]);
  });
});
