import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { storedSeqs } from "../support/event-log.ts";
import { type EventReader, sharedToken, startReader } from "../support/event-reader.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { type World, createWorld } from "../support/world.ts";

const READERS = 20;
const WRITES = 500;
const STORM = 200;

// Whole servers start here, and a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: World;
let there: NodeProcess;

beforeAll(async () => {
  world = await createWorld();
  there = await startNode(world.server.database.url);
});

afterAll(async () => {
  await there.stop();
  await world.server.close();
});

async function startReaders(count: number): Promise<EventReader[]> {
  // A credential has 100 sockets at most.
  const keys = await Promise.all(
    Array.from({ length: Math.ceil(count / 60) }, async (_, index) => {
      const { body } = await world.agent.post("/api/v1/agent_tokens", { name: `Readers ${index}` });
      return sharedToken(world.server.url, body.token);
    }),
  );
  const { body } = await world.agent.get("/api/v1/events");
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const token = keys[index % keys.length];
      if (token === undefined) throw new Error("no key");
      return startReader({ nodes: anyNode, token, after: body.next_after });
    }),
  );
}

function anyNode(): string {
  return Math.random() < 0.5 ? world.server.url : there.url;
}

/** Holds that every reader got every event after one, in order and once. @returns how many came in all. */
async function expectWhole(readers: readonly EventReader[], after: number): Promise<number> {
  const stored = await storedSeqs(world.server.database, world.workspaceId, after);
  const last = stored.at(-1) ?? 0;
  for (const reader of readers) {
    await reader.reached(last);
    reader.stop();
    expect(reader.seqs).toEqual(stored);
    expect(reader.resets).toEqual([]);
  }
  return stored.length * readers.length;
}

async function lastSeq(): Promise<number> {
  return (await storedSeqs(world.server.database, world.workspaceId, 0)).at(-1) ?? 0;
}

describe("readers who are cut off at random, and come back on any node,", () => {
  it("get 10,000 events without a gap and without one twice", async () => {
    const readers = await startReaders(READERS);
    const after = await lastSeq();
    let written = 0;
    async function write(): Promise<void> {
      while (written++ < WRITES) {
        await createTask(world.ctx, { title: "One of many" });
        if (written % 5 === 0) readers[Math.floor(Math.random() * READERS)]?.cut();
      }
    }
    await Promise.all([write(), write(), write(), write()]);
    expect(await expectWhole(readers, after)).toBeGreaterThanOrEqual(READERS * WRITES);
  });
});

describe("a storm of sockets that come back at once", () => {
  it("is let in within seconds, and misses nothing of what happened meanwhile", async () => {
    const readers = await startReaders(STORM);
    const after = await lastSeq();
    const started = performance.now();
    for (const reader of readers) reader.cut();
    for (let made = 0; made < 5; made++) await createTask(world.ctx, { title: "Meanwhile" });
    await expectWhole(readers, after);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
