import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openLiveDatabase } from "../../src/db/notifications.ts";
import { listEvents } from "../../src/domain/event-log/list-events.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import type { SocketConnection } from "../../src/gateway/socket-connection.ts";
import { sweepCredentials } from "../../src/live/credential-sweep.ts";
import { storedSeqs, insertEvents } from "../support/event-log.ts";
import { startReader } from "../support/event-reader.ts";
import { startNode } from "../support/node-process.ts";
import { buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import {
  agentSocket,
  nextFrame,
  personSocket,
  socketToken,
  subscribe,
  tokenSocket,
} from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

// This starts whole servers, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: TestWorld;
let url: string;

beforeAll(async () => {
  world = await createWorld();
  ({ url } = world.server);
});

afterAll(() => world.server.close());

function connections(): SocketConnection[] {
  // Every connection of a server is created by its socket server.
  return [...world.server.services.live.connections.all()] as SocketConnection[];
}

function findConnection(workspace: string): SocketConnection {
  const connection = connections().find(({ identity }) => identity?.workspaceId === workspace);
  if (connection === undefined) throw new Error("no socket of the workspace");
  return connection;
}

describe("a socket whose client does not read", () => {
  it("blocks nobody, uses no memory, and gets everything when it reads again", async () => {
    const { ctx, apiKey, workspaceId } = await world.another();
    const slow = await agentSocket(url, apiKey);
    const { cursor } = await listEvents(ctx, {});
    const after = (await storedSeqs(world.server.database, workspaceId, 0)).at(-1) ?? 0;
    subscribe(slow, "slow", { after: cursor });
    await nextFrame(slow);
    slow.socket.pause();
    const token = await socketToken(url, apiKey);
    const quick = await startReader({ nodes: () => url, token: async () => token, after: cursor });
    for (let batch = 0; batch < 20; batch++) {
      await insertEvents(world.server.database, workspaceId, { count: 500, size: 2000 });
    }
    const stored = await storedSeqs(world.server.database, workspaceId, after);
    await quick.reached(stored.at(-1) ?? 0);
    expect(quick.seqs).toEqual(stored);
    quick.stop();
    const buffered = Math.max(...connections().map((connection) => connection.buffered()));
    expect(buffered).toBeGreaterThan(16_384);
    expect(buffered).toBeLessThan(131_072);
    slow.socket.resume();
    await slow.until(({ payload }) => payload?.data?.events.seq === stored.at(-1));
    const seqs = slow.messages
      .map(({ payload }) => payload?.data?.events.seq)
      .filter((seq) => seq !== undefined);
    expect(seqs).toEqual(stored);
    slow.socket.close();
  });

  it("is closed with its cursor as the reason after 15 seconds without reading", async () => {
    const { ctx, apiKey, workspaceId } = await world.another();
    const slow = await agentSocket(url, apiKey);
    const connection = findConnection(workspaceId);
    const { cursor } = await listEvents(ctx, {});
    subscribe(slow, "slow", { after: cursor });
    await nextFrame(slow);
    slow.socket.pause();
    await insertEvents(world.server.database, workspaceId, { count: 5000, size: 2000 });
    await expect.poll(() => connection.buffered()).toBeGreaterThan(16_384);
    const now = performance.now();
    connection.tick(now);
    connection.tick(now + 10_000);
    expect(connection.isGone()).toBe(false);
    connection.tick(now + 20_000);
    slow.socket.resume();
    const { code } = await slow.closed;
    // Earlier data may have filled the connection, so the close frame may be lost.
    expect([4290, 1006]).toContain(code);
  });
});

describe("a socket", () => {
  it("closes with the credential behind its token, but not with the token", async () => {
    const { body: minted } = await world.agent.post("/api/v1/agent_tokens", { name: "Short" });
    const person = await createPerson(world.server, world.workspaceId);
    const session = await beginTestSession(world.server, person);
    const { query } = world.server.database;
    const soon = "now() + interval '4 seconds'";
    const ends = async (update: string, id: string) =>
      (
        await query<{ at: Date }>(`UPDATE ${update} = $1 RETURNING expires_at AS at`, [id])
      )[0]?.at.getTime() ?? 0;
    const tokenEnds = await ends(`agent_token SET expires_at = ${soon} WHERE id`, minted.id);
    const agent = await agentSocket(url, minted.token);
    await query("UPDATE socket_token SET expires_at = now() WHERE workspace_id = $1", [world.workspaceId]);
    const sessionEnds = await ends(`users_tokens SET expires_at = ${soon} WHERE user_id`, person.id);
    const operator = await personSocket(url, buildCookie(session));
    for (const [socket, endsAt] of [
      [agent, tokenEnds],
      [operator, sessionEnds],
    ] as const) {
      expect(await socket.closed).toEqual({ code: 4403, reason: "reauth_required" });
      expect(Date.now()).toBeGreaterThanOrEqual(endsAt - 100);
      // The sweep would also find it eventually.
      expect(Date.now()).toBeLessThan(endsAt + 8000);
    }
  });

  it("is closed by the sweep if its credential was deleted or replaced long ago", async () => {
    const people = await Promise.all([0, 1, 2].map(() => createPerson(world.server, world.workspaceId)));
    const sockets = await Promise.all(
      people.map(async (person) =>
        personSocket(url, buildCookie(await beginTestSession(world.server, person))),
      ),
    );
    const agent = await agentSocket(url, (await world.agent.post("/api/v1/agent_tokens", {})).body.token);
    const { query } = world.server.database;
    const [gone, replaced, kept] = people;
    await query("DELETE FROM users_tokens WHERE user_id = $1", [gone?.id]);
    await query(
      `WITH heir AS (
         INSERT INTO users_tokens (workspace_id, id, user_id, context, token_digest, auth_epoch, family_id, authenticated_at,
           expires_at, first_used_at)
         SELECT workspace_id, gen_random_uuid(), user_id, context, sha256(token_digest), auth_epoch, family_id,
           authenticated_at, expires_at, now() - interval '61 seconds' FROM users_tokens WHERE user_id = $1 RETURNING id, user_id
       ) UPDATE users_tokens t SET successor_id = heir.id, superseded_at = now() FROM heir WHERE t.user_id = heir.user_id`,
      [replaced?.id],
    );
    await query("UPDATE agent_token SET revoked_at = now() WHERE workspace_id = $1", [world.workspaceId]);
    const database = openLiveDatabase(world.server.database.url, world.server.services.log);
    const reads: string[] = [];
    const readRevocations = async () => void reads.push("read");
    await sweepCredentials(
      { database, readRevocations, now: null },
      world.server.services.live.connections.all(),
    );
    await database.close();
    expect(reads).toContain("read");
    expect((await sockets[0]?.closed)?.code).toBe(4401);
    expect((await sockets[1]?.closed)?.code).toBe(4403);
    expect((await agent.closed).code).toBe(4401);
    subscribe(sockets[2] ?? agent, "valid");
    expect(kept).toBeDefined();
    await sockets[2]?.until(({ id }) => id === "valid");
    sockets[2]?.socket.close();
  });

  it("is closed by the sweep though the log of revocations can't be read", async () => {
    const person = await createPerson(world.server, world.workspaceId);
    const socket = await personSocket(url, buildCookie(await beginTestSession(world.server, person)));
    await world.server.database.query("DELETE FROM users_tokens WHERE user_id = $1", [person.id]);
    const database = openLiveDatabase(world.server.database.url, world.server.services.log);
    const parts = { database, readRevocations: () => new Promise<never>(() => {}), now: null };
    await sweepCredentials(parts, world.server.services.live.connections.all());
    await database.close();
    expect((await socket.closed).code).toBe(4401);
  });

  it("is pinged in both ways, and closed without a response", async () => {
    const { apiKey, workspaceId } = await world.another();
    const socket = await agentSocket(url, apiKey);
    const connection = findConnection(workspaceId);
    const pings: string[] = [];
    socket.socket.on("message", (data: Buffer) => pings.push(data.toString()));
    const pinged = new Promise((resolve) => socket.socket.once("ping", resolve));
    const now = performance.now();
    connection.tick(now + 26_000);
    await pinged;
    await expect.poll(() => pings).toContain('{"type":"ping"}');
    socket.socket.pause();
    connection.tick(now + 52_000);
    connection.tick(now + 78_000);
    socket.socket.resume();
    expect((await socket.closed).code).toBe(1006);
  });

  it("is closed when its server stops accepting sockets", async () => {
    const node = await startNode(world.server.database.url);
    // One token for all, because a busy machine can't mint sixty in time.
    const token = await socketToken(node.url, world.apiKey);
    const sockets = await Promise.all(Array.from({ length: 60 }, () => tokenSocket(node.url, token)));
    for (const [index, socket] of sockets.entries()) subscribe(socket, `s${index}`);
    await Promise.all(sockets.map(nextFrame));
    const stopped = node.stop();
    const ends = await Promise.all(sockets.map(({ closed }) => closed));
    for (const { code, reason } of ends) {
      expect(code).toBe(1012);
      expect(reason).toMatch(/^restarting retryAfterMs=\d{1,4}$/);
    }
    // They are told to reconnect at different times.
    expect(new Set(ends.map(({ reason }) => reason)).size).toBeGreaterThan(30);
    expect(await stopped).toBe(0);
  });

  it("that floods its server with empty frames is slowed down too", async () => {
    const flood = await agentSocket(url, world.apiKey);
    const started = performance.now();
    for (let n = 0; n < 20_000; n++) flood.socket.pong();
    flood.send({ type: "ping" });
    await flood.until(({ type }) => type === "pong");
    expect(performance.now() - started).toBeGreaterThan(900);
    flood.socket.terminate();
  });

  it("that floods its server with long messages is slowed down by their size", async () => {
    const flood = await agentSocket(url, world.apiKey);
    const payload = { values: Array.from({ length: 30_000 }, () => 1) };
    const messages = 200;
    for (let n = 0; n < messages; n++) flood.send({ type: "ping", payload });
    const other = await world.another();
    const socket = await agentSocket(url, other.apiKey);
    socket.send({ type: "ping" });
    await socket.until(({ type }) => type === "pong");
    expect(flood.messages.length).toBeLessThan(messages / 2);
    for (const one of [flood, socket]) one.socket.terminate();
  });

  it("has one frame processed per turn, so that others get their turn", async () => {
    const sender = await agentSocket(url, world.apiKey);
    const frames = 150;
    for (let n = 1; n <= frames; n++) sender.send({ type: "ping", payload: { last: n === frames } });
    let turns = 0;
    while (sender.messages.at(-1)?.payload?.last !== true) {
      await nextTurn();
      turns++;
    }
    expect(turns).toBeGreaterThanOrEqual(frames);
    sender.socket.terminate();
  });

  it("that floods its server is slowed down, and no other", async () => {
    const flood = await agentSocket(url, world.apiKey);
    const calm = await agentSocket(url, world.apiKey);
    for (let n = 0; n < 20_000; n++) flood.send('{"type":"ping"}');
    subscribe(calm, "calm", { types: ["task.*"] });
    await nextFrame(calm);
    const task = await createTask(world.ctx, { title: "In the flood" });
    expect((await nextFrame(calm)).subjectUuid).toBe(task.id);
    // Frames from one read are processed; the rest waits.
    expect(flood.messages.length).toBeLessThan(10_000);
    flood.socket.terminate();
    calm.socket.close();
  });
});
