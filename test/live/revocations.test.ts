import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { revokeApiKey } from "../../src/auth/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../../src/auth/api-keys/rotate-api-key.ts";
import { updateApiKey } from "../../src/auth/api-keys/update-api-key.ts";
import { completeReset } from "../../src/auth/reset/complete-reset.ts";
import { deactivateUser } from "../../src/domain/users/deactivate-user.ts";
import { updateUserRole } from "../../src/domain/users/update-user-role.ts";
import { suspendWorkspace } from "../../src/domain/workspaces/suspend-workspace.ts";
import { createClient } from "../support/client.ts";
import { type Holding, holdCredentials } from "../support/held-credentials.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { SEEN, cookieOf } from "../support/people.ts";
import { restoreBus, silenceBus } from "../support/quiet-bus.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { type TestSocket, agentSocket, openSocket, personSocket } from "../support/socket-client.ts";

const NAMES = ["ownSession", "otherSession", "accessToken", "apiKey"] as const;
type Name = (typeof NAMES)[number];
type Row = {
  event: string;
  happens: (held: Holding) => Promise<unknown>;
  closed: Partial<Record<Name, number>>;
};

// Whole servers start here, and a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** As long as a node may remember a credential that it knows to be good. */
const REMEMBERED_MS = 5000;

let here: TestServer;
let there: NodeProcess;

beforeAll(async () => {
  here = await startTestServer();
  there = await startNode(here.database.url);
});

afterAll(async () => {
  await there.stop();
  await here.close();
});

async function browse(session: string, method: string, path: string): Promise<void> {
  const client = createClient(here.url, undefined, { cookie: cookieOf(session) });
  expect((await client.send(path, { method })).status).toBe(303);
}

const ROWS: Row[] = [
  {
    event: "a password reset",
    happens: async ({ resetLink }) => {
      const password = "a lantern over the water";
      const input = { token: resetLink, password, passwordConfirmation: password };
      expect(await completeReset(here.services, input, SEEN)).toBe("done");
    },
    closed: { ownSession: 4401, otherSession: 4401 },
  },
  {
    event: "a log-out",
    happens: ({ ownSession }) => browse(ownSession, "DELETE", "/users/log-out"),
    closed: { ownSession: 4401 },
  },
  {
    event: "a person's suspension",
    happens: ({ ctx, person }) => deactivateUser(ctx, person.id),
    closed: { ownSession: 4401, otherSession: 4401 },
  },
  {
    event: "a lower role",
    happens: ({ ctx, person }) => updateUserRole(ctx, person.id, "viewer"),
    closed: { ownSession: 4403, otherSession: 4403 },
  },
  {
    event: "a workspace's suspension",
    happens: ({ ctx }) => suspendWorkspace(ctx),
    closed: { ownSession: 4403, otherSession: 4403, accessToken: 4403, apiKey: 4403 },
  },
  {
    event: "an API key's revocation",
    happens: ({ ctx, keyId }) => revokeApiKey(ctx, keyId),
    closed: { accessToken: 4401, apiKey: 4401 },
  },
  {
    event: "fewer scopes of an API key",
    happens: ({ ctx, keyId }) => updateApiKey(ctx, keyId, { scopes: ["tasks:read"] }),
    closed: { accessToken: 4403, apiKey: 4403 },
  },
  {
    event: "an access token's revocation",
    happens: ({ ctx, tokenId }) => revokeAgentToken(ctx, tokenId),
    closed: { accessToken: 4401 },
  },
  {
    event: "an API key's rotation, which its tokens survive",
    happens: ({ ctx, keyId }) => rotateApiKey(ctx, keyId, { overlapSeconds: 0 }),
    closed: {},
  },
];

/** The same four sockets on a node. */
async function openSockets(url: string, held: Holding): Promise<Record<Name, TestSocket>> {
  const [ownSession, otherSession, accessToken, apiKey] = await Promise.all([
    personSocket(url, cookieOf(held.ownSession)),
    personSocket(url, cookieOf(held.otherSession)),
    agentSocket(url, held.accessToken),
    agentSocket(url, held.apiKey),
  ]);
  return { ownSession, otherSession, accessToken, apiKey };
}

/** Lets so many turns of the event loop pass. */
async function untilTurn(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}

async function expectAlive(socket: TestSocket): Promise<void> {
  socket.send({ type: "ping" });
  await socket.until(({ type }) => type === "pong");
}

/** Holds that a row closes what it should on both nodes, long before a sweep would, and nothing else. */
async function expectClosed({ happens, closed }: Row): Promise<void> {
  const held = await holdCredentials(here);
  const sockets = [await openSockets(there.url, held), await openSockets(here.url, held)];
  await happens(held);
  const done = performance.now();
  for (const of of sockets) {
    for (const name of NAMES) {
      const code = closed[name];
      if (code !== undefined) expect((await of[name].closed).code, name).toBe(code);
    }
  }
  expect(performance.now() - done).toBeLessThan(5000);
  for (const of of sockets) {
    for (const name of NAMES) {
      if (closed[name] === undefined) await expectAlive(of[name]);
      of[name].socket.terminate();
    }
  }
}

describe("on one node, what happens closes the sockets of every node at once", () => {
  it.each(ROWS)("$event", expectClosed);
});

describe("without notifications the same is found by looking", () => {
  beforeAll(() => silenceBus(here.database));
  afterAll(() => restoreBus(here.database));

  it.each(ROWS.slice(0, 2))("$event", expectClosed);
});

describe("a credential that is revoked on one node", () => {
  it("is refused by another that has just let it in", async () => {
    const held = await holdCredentials(here);
    const client = createClient(there.url, held.accessToken);
    expect((await client.get("/api/v1/whoami")).status).toBe(200);
    await revokeAgentToken(held.ctx, held.tokenId);
    await expect
      .poll(async () => (await client.get("/api/v1/whoami")).status, {
        interval: 10,
        timeout: REMEMBERED_MS - 1000,
      })
      .toBe(401);
  });
});

describe("a socket whose credential is revoked", () => {
  it("has nothing done any more that it asks for, even where it ignores that it was closed", async () => {
    const held = await holdCredentials(here);
    const socket = await agentSocket(here.url, held.accessToken);
    const count = async () => {
      const [row] = await here.database.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM task WHERE workspace_id = $1",
        [held.ctx.workspaceId],
      );
      return row?.count;
    };
    const before = await count();
    // The close frame is never answered, and the writing side goes on.
    socket.socket.pause();
    await revokeAgentToken(held.ctx, held.tokenId);
    const query = 'mutation { createTask(input: { title: "too late" }) { task { uuid } } }';
    for (let n = 0; n < 5; n++) socket.send({ type: "subscribe", id: `m${n}`, payload: { query } });
    socket.socket.resume();
    await socket.closed;
    expect(await count()).toBe(before);
  });

  it("is never let in where the revocation comes while it connects", async () => {
    const held = await holdCredentials(here);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_, round) => {
        const ctx = held.ctx;
        const { body } = await createClient(here.url, held.apiKey).post("/api/v1/agent_tokens");
        const token = (await createClient(here.url, body.token).post("/api/v1/socket_tokens")).body.token;
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
