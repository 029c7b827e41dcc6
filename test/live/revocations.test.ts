import { once } from "node:events";
import { request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { createTestClient } from "../support/test-client.ts";
import { CLOSING_ACTS, type ClosingAct, SOCKETS, type SocketName } from "../support/closing-acts.ts";
import { type TestCredentials, createCredentials } from "../support/test-credentials.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { buildCookie } from "../support/people.ts";
import { isBusMissed, restoreBus, silenceBus } from "../support/quiet-bus.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { type TestSocket, agentSocket, openSocket, personSocket } from "../support/socket-client.ts";
import { untilTurn } from "../support/until-turn.ts";

// This starts whole servers, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** Revocations close their sockets on every node. */
const WITHIN_MS = 1000;

let here: TestServer;
let there: NodeProcess;
let elsewhere: NodeProcess;

beforeAll(async () => {
  here = await startTestServer();
  const { url } = here.database;
  [there, elsewhere] = await Promise.all([startNode(url), startNode(url)]);
});

afterAll(async () => {
  await Promise.all([there.stop(), elsewhere.stop()]);
  await here.close();
});

/** The same four sockets on each node. */
async function openSockets(
  url: string,
  credentials: TestCredentials,
): Promise<Record<SocketName, TestSocket>> {
  const [ownSession, otherSession, accessToken, apiKey] = await Promise.all([
    personSocket(url, buildCookie(credentials.ownSession)),
    personSocket(url, buildCookie(credentials.otherSession)),
    agentSocket(url, credentials.accessToken),
    agentSocket(url, credentials.apiKey),
  ]);
  return { ownSession, otherSession, accessToken, apiKey };
}

async function expectOpen(socket: TestSocket): Promise<void> {
  socket.send({ type: "ping" });
  await socket.until(({ type }) => type === "pong");
}

/** Expects that an action closes the right sockets on every node, long before a sweep would. */
async function expectClosed({ happens, closed }: ClosingAct): Promise<void> {
  const credentials = await createCredentials(here);
  const nodes = await Promise.all([there, elsewhere, here].map(({ url }) => openSockets(url, credentials)));
  await happens(credentials);
  const done = performance.now();
  for (const sockets of nodes) {
    for (const name of SOCKETS) {
      const code = closed[name];
      if (code !== undefined) expect((await sockets[name].closed).code, name).toBe(code);
    }
  }
  expect(performance.now() - done).toBeLessThan(WITHIN_MS);
  for (const sockets of nodes) {
    for (const name of SOCKETS) {
      if (closed[name] === undefined) await expectOpen(sockets[name]);
      sockets[name].socket.terminate();
    }
  }
}

describe("an action on one node closes sockets on every node at once", () => {
  it.each(CLOSING_ACTS)("$event", expectClosed);
});

describe("the same is found by polling without notifications", () => {
  beforeAll(() => silenceBus(here.database));
  afterAll(() => restoreBus(here.database));

  it.each(CLOSING_ACTS)("$event", async (act) => {
    await expectClosed(act);
    await expect.poll(() => isBusMissed(here)).toBe(true);
  });
});

describe("a credential revoked on one node", () => {
  it("is rejected by another node that has just accepted it", async () => {
    const credentials = await createCredentials(here);
    const client = createTestClient(there.url, credentials.accessToken);
    expect((await client.get("/api/v1/whoami")).status).toBe(200);
    await revokeAgentToken(credentials.ctx, credentials.tokenId);
    expect((await client.get("/api/v1/whoami")).status).toBe(401);
  });

  it("starts nothing on another node after the response, whatever that node had accepted", async () => {
    const credentials = await createCredentials(here);
    const outcomes: number[] = [];
    for (let round = 0; round < 20; round++) {
      const { body } = await createTestClient(here.url, credentials.apiKey).post("/api/v1/agent_tokens");
      const client = createTestClient(round % 2 === 0 ? there.url : elsewhere.url, body.token);
      expect((await client.get("/api/v1/whoami")).status).toBe(200);
      await revokeAgentToken(credentials.ctx, body.id);
      outcomes.push((await client.post("/api/v1/tasks", { title: "too late" })).status);
    }
    expect(outcomes).toEqual(outcomes.map(() => 401));
  });

  it.each([
    ["/api/v1/tasks", { title: "too late" }],
    ["/graphql", { query: 'mutation { createTask(input: { title: "too late" }) { task { uuid } } }' }],
  ])("is rejected if the rest of an accepted request arrives later: %s", async (path, body) => {
    const credentials = await createCredentials(here);
    const text = JSON.stringify(body);
    const sent = request(`${there.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${credentials.accessToken}`,
        "content-type": "application/json",
        "content-length": text.length,
      },
    });
    const answered = once(sent, "response");
    sent.write(text.slice(0, 10));
    // It was accepted, as this later request got a response.
    expect((await createTestClient(there.url, credentials.accessToken).get("/api/v1/whoami")).status).toBe(
      200,
    );
    await revokeAgentToken(credentials.ctx, credentials.tokenId);
    sent.end(text.slice(10));
    const [response] = await answered;
    expect(await readText(response)).toMatch(/invalid_token/i);
    const late = "SELECT 1 FROM task WHERE workspace_id = $1 AND title = 'too late'";
    expect(await here.database.query(late, [credentials.ctx.workspaceId])).toEqual([]);
  });
});

describe("a socket with a revoked credential", () => {
  it("executes nothing more, even if it ignores the close", async () => {
    const credentials = await createCredentials(here);
    const socket = await agentSocket(here.url, credentials.accessToken);
    const count = async () => {
      const [row] = await here.database.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM task WHERE workspace_id = $1",
        [credentials.ctx.workspaceId],
      );
      return row?.count;
    };
    const before = await count();
    // The client never responds to the close frame and keeps writing.
    socket.socket.pause();
    await revokeAgentToken(credentials.ctx, credentials.tokenId);
    const query = 'mutation { createTask(input: { title: "too late" }) { task { uuid } } }';
    for (let n = 0; n < 5; n++) socket.send({ type: "subscribe", id: `m${n}`, payload: { query } });
    socket.socket.resume();
    await socket.closed;
    expect(await count()).toBe(before);
  });

  it("is never accepted if revoked while connecting", async () => {
    const credentials = await createCredentials(here);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_, round) => {
        const ctx = credentials.ctx;
        const { body } = await createTestClient(here.url, credentials.apiKey).post("/api/v1/agent_tokens");
        const token = (await createTestClient(here.url, body.token).post("/api/v1/socket_tokens")).body.token;
        const node = round % 2 === 0 ? here.url : there.url;
        const socket = await openSocket(node);
        const revoking = untilTurn(round % 7).then(() => revokeAgentToken(ctx, body.id));
        socket.send({ type: "connection_init", payload: { token } });
        await revoking;
        return (await socket.closed).code;
      }),
    );
    expect(outcomes.every((code) => code === 4401)).toBe(true);
  });
});
