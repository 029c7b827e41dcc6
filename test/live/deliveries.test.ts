import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { type EventReader, sharedToken, startReader } from "../support/event-reader.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { expectWhole, readPosition } from "../support/whole-readers.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const READERS = 20;
const WRITES = 500;
const STORM = 200;

// This starts whole servers, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: TestWorld;
let there: NodeProcess;

beforeAll(async () => {
  world = await createWorld();
  there = await startNode(world.server.database.url);
});

afterAll(async () => {
  await there.stop();
  await world.server.close();
});

async function startReaders(cursor: string, count: number): Promise<EventReader[]> {
  // A credential can have at most 100 sockets.
  const keys = await Promise.all(
    Array.from({ length: Math.ceil(count / 60) }, async (_, index) => {
      const { body } = await world.agent.post("/api/v1/agent_tokens", { name: `Readers ${index}` });
      return sharedToken(world.server.url, body.token);
    }),
  );
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const token = keys[index % keys.length];
      if (token === undefined) throw new Error("no key");
      return startReader({ nodes: anyNode, token, after: cursor });
    }),
  );
}

function anyNode(): string {
  return Math.random() < 0.5 ? world.server.url : there.url;
}

describe("clients that are disconnected at random and reconnect to any node", () => {
  it("receive 10,000 events without gaps or repetitions", async () => {
    const { after, cursor } = await readPosition(world);
    const readers = await startReaders(cursor, READERS);
    let written = 0;
    async function write(): Promise<void> {
      while (written++ < WRITES) {
        await createTask(world.ctx, { title: "One of many" });
        if (written % 5 === 0) readers[Math.floor(Math.random() * READERS)]?.cut();
      }
    }
    await Promise.all([write(), write(), write(), write()]);
    expect(await expectWhole(world, readers, after)).toBeGreaterThanOrEqual(READERS * WRITES);
  });
});

describe("many sockets that reconnect at once", () => {
  it("are accepted within seconds and miss no event", async () => {
    const { after, cursor } = await readPosition(world);
    const readers = await startReaders(cursor, STORM);
    const started = performance.now();
    for (const reader of readers) reader.cut();
    for (let made = 0; made < 5; made++) await createTask(world.ctx, { title: "Meanwhile" });
    await expectWhole(world, readers, after);
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
