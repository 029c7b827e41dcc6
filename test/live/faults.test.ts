import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { createTestClient } from "../support/test-client.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { insertEvents, storedSeqs } from "../support/event-log.ts";
import { type EventReader, sharedToken, startReader } from "../support/event-reader.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { expectProblem } from "../support/problem.ts";
import { isBusMissed, restoreBus, silenceBus } from "../support/quiet-bus.ts";
import { startOn } from "../support/server.ts";
import { agentSocket, connectSocket, nextFrame, subscribe } from "../support/socket-client.ts";
import { expectWhole, readPosition } from "../support/whole-readers.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

// This starts whole servers, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: TestWorld;
let proxy: DatabaseProxy;
let there: NodeProcess;
let token: () => Promise<string>;

beforeAll(async () => {
  world = await createWorld();
  proxy = await openDatabaseProxy(world.server.database.url);
  there = await startNode(proxy.url);
  token = await sharedToken(world.server.url, world.apiKey);
});

// The next test, and a second attempt of this one, begin with a database that answers.
afterEach(async () => {
  proxy.mend();
  await expect.poll(ready).toBe(200);
});

afterAll(async () => {
  await there.stop();
  await proxy.close();
  await world.server.close();
});

async function ready(): Promise<number> {
  return (await fetch(`${there.url}/readyz`)).status;
}

async function readers(after: string, ...nodes: string[]): Promise<EventReader[]> {
  return Promise.all(nodes.map((node) => startReader({ nodes: () => node, token, after })));
}

async function write(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => createTask(world.ctx, { title: "Written" })));
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

/** Terminates database connections by application name. @returns how many there were. */
async function terminate(name: string): Promise<number> {
  const ended = await world.server.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1`,
    [name],
  );
  return ended.length;
}

describe("events reach every node exactly once", () => {
  it("if the writing node is killed", async () => {
    const doomed = await startNode(world.server.database.url);
    const { after, cursor } = await readPosition(world);
    const all = await readers(cursor, world.server.url, there.url);
    const client = createTestClient(doomed.url, world.apiKey);
    let answered = 0;
    async function post(): Promise<void> {
      for (;;) {
        const made = await client.post("/api/v1/tasks", { title: "Written until killed" }).catch(() => null);
        if (made?.status !== 201) return;
        if (++answered === 40) await doomed.kill();
      }
    }
    await Promise.all(Array.from({ length: 8 }, post));
    expect(answered).toBeGreaterThanOrEqual(40);
    await write(1);
    await expectWhole(world, all, after);
  });

  it("if the listening and reading connections are cut repeatedly", async () => {
    const { after, cursor } = await readPosition(world);
    const all = await readers(cursor, world.server.url, there.url);
    for (let round = 0; round < 4; round++) {
      await write(5);
      for (const name of ["agent-ops-listen", "agent-ops-live"]) await terminate(name);
      await write(5);
    }
    await expectWhole(world, all, after);
    // Disconnected clients receive events again.
    await expect.poll(() => terminate("agent-ops-listen")).toBe(2);
  });

  it("within seconds without notifications", async () => {
    await silenceBus(world.server.database);
    const { after, cursor } = await readPosition(world);
    const all = await readers(cursor, world.server.url, there.url);
    const started = performance.now();
    await write(3);
    await expectWhole(world, all, after);
    // Takes a quarter of a second, unless the machine is busy.
    expect(performance.now() - started).toBeLessThan(5000);
    await expect.poll(() => isBusMissed(world.server)).toBe(true);
    await restoreBus(world.server.database);
  });

  it("if the nodes' clocks are minutes apart", async () => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    const early = await startOn(world.server.database, {}, minutes(-9));
    const late = await startOn(world.server.database, {}, minutes(9));
    const { after, cursor } = await readPosition(world);
    const all = await readers(cursor, world.server.url, early.url, late.url);
    for (const url of [early.url, world.server.url, late.url, early.url]) {
      const { status } = await createTestClient(url, world.apiKey).post("/api/v1/tasks", { title: "When?" });
      expect(status).toBe(201);
    }
    await expectWhole(world, all, after);
    await Promise.all([early.stop(), late.stop()]);
  });

  it("if a client resumes on a node that is behind its cursor", async () => {
    const { after, cursor } = await readPosition(world);
    const [here] = await readers(cursor, world.server.url);
    const [behind] = await readers(cursor, there.url);
    proxy.stall("agent-ops-live");
    await write(5);
    const { after: from, cursor: newest } = await readPosition(world);
    await here?.reached(from);
    const ahead = await startReader({ nodes: () => there.url, token, after: newest });
    expect(behind?.seqs.at(-1) ?? 0).toBeLessThan(from);
    proxy.mend();
    await write(2);
    await expectWhole(world, [ahead], from);
    await expectWhole(
      world,
      [here, behind].flatMap((reader) => reader ?? []),
      after,
    );
  });
});

describe("a client on another node that stops reading", () => {
  it("blocks nobody, uses no memory, and gets everything when it reads again", async () => {
    const { ctx, apiKey, workspaceId } = await world.another();
    const own = { server: world.server, workspaceId, ctx };
    const { after, cursor } = await readPosition(own);
    const slow = await agentSocket(there.url, apiKey);
    subscribe(slow, "slow", { after: cursor });
    await nextFrame(slow);
    slow.socket.pause();
    const itsToken = await sharedToken(world.server.url, apiKey);
    const quick = await Promise.all(
      [world.server.url, there.url].map((url) =>
        startReader({ nodes: () => url, token: itsToken, after: cursor }),
      ),
    );
    const before = residentBytes(there.pid);
    for (let batch = 0; batch < 20; batch++) {
      await insertEvents(world.server.database, workspaceId, { count: 500, size: 2000 });
    }
    await expectWhole(own, quick, after);
    // Those are 20 MB of events. What a node keeps of them in memory doesn't depend on the client.
    expect(residentBytes(there.pid) - before).toBeLessThan(200_000_000);
    slow.socket.resume();
    const stored = await storedSeqs(world.server.database, workspaceId, after);
    await slow.until(({ payload }) => payload?.data?.events.seq === stored.at(-1));
    const seqs = slow.messages.flatMap(({ payload }) => payload?.data?.events.seq ?? []);
    expect(seqs.slice(0, stored.length)).toEqual(stored);
    slow.socket.terminate();
  });
});

describe("a node that can't read revocations", () => {
  it("closes every socket within seconds, is not ready, and trusts no cached credential until it can", async () => {
    const { body: minted } = await world.agent.post("/api/v1/agent_tokens", { name: "Revoked meanwhile" });
    const mine = createTestClient(there.url, minted.token);
    expect((await mine.get("/api/v1/whoami")).status).toBe(200);
    const { after, cursor } = await readPosition(world);
    const all = await readers(cursor, there.url);
    proxy.stall("agent-ops-live");
    await revokeAgentToken(world.ctx, minted.id);
    await expect.poll(ready).toBe(503);
    expect((await mine.get("/api/v1/whoami")).status).toBe(401);
    await expect
      .poll(() => there.logged.filter((line) => /"code":1013/.test(line)).length)
      .toBeGreaterThan(0);
    proxy.mend();
    await expect.poll(ready).toBe(200);
    await write(1);
    await expectWhole(world, all, after);
  });

  it("accepts no sockets and no waiting requests until it can", async () => {
    proxy.stall("agent-ops-live");
    await expect.poll(ready).toBe(503);
    const socket = await connectSocket(there.url, { init: { token: await token() } });
    expect(await socket.closed).toEqual({
      code: 1013,
      reason: expect.stringMatching(/^unavailable retryAfterMs=\d+$/),
    });
    const agent = createTestClient(there.url, world.apiKey);
    const claim = { queues: ["nobody-writes-here"], wait: 25 };
    expectProblem(await agent.post("/api/v1/tasks/claim", claim), 503, "unavailable");
    expectProblem(await agent.get("/api/v1/events?wait=30"), 503, "unavailable");
    proxy.mend();
    await expect.poll(ready).toBe(200);
    (await agentSocket(there.url, world.apiKey)).socket.terminate();
  });

  it("closes sockets without a valid token with a code to retry", async () => {
    proxy.cut();
    for (const init of [{}, { token: "undefined" }, { token: "" }]) {
      const socket = await connectSocket(there.url, { init });
      expect((await socket.closed).code).toBe(1013);
    }
    proxy.mend();
    await expect.poll(ready).toBe(200);
    const socket = await connectSocket(there.url, { init: {} });
    expect((await socket.closed).code).toBe(4401);
  });

  it("asks new subscribers to reconnect later", async () => {
    const socket = await agentSocket(there.url, world.apiKey);
    proxy.cut();
    subscribe(socket, "late");
    expect((await socket.closed).code).toBe(1013);
    expect(socket.messages.map(({ type }) => type)).not.toContain("complete");
    proxy.mend();
    await expect.poll(ready).toBe(200);
  });

  it("accepts no one from its start if it never could", async () => {
    proxy.stall("agent-ops-live");
    const late = await startNode(proxy.url);
    onTestFinished(async () => void (await late.stop()));
    const socket = await connectSocket(late.url, { init: { token: await token() } });
    expect((await socket.closed).code).toBe(1013);
    proxy.mend();
    await expect.poll(() => fetch(`${late.url}/readyz`).then(({ status }) => status)).toBe(200);
    (await agentSocket(late.url, world.apiKey)).socket.terminate();
  });
});
