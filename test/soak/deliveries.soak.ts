import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { type EventReader, sharedToken, startReader } from "../support/event-reader.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { restoreBus, silenceBus } from "../support/quiet-bus.ts";
import { expectWhole, readPosition } from "../support/whole-readers.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 120_000 });

const READERS = 60;
const WRITES = 3000;
const STORM = 1000;
/** A credential can have 100 sockets, and some may still be closing while others open. */
const READERS_PER_CREDENTIAL = 40;

let world: TestWorld;
let nodes: NodeProcess[];

beforeAll(async () => {
  world = await createWorld();
  nodes = [await startNode(world.server.database.url), await startNode(world.server.database.url)];
});

afterAll(async () => {
  for (const node of nodes) await node.stop();
  await world.server.close();
});

function anyNode(): string {
  const urls = [world.server.url, ...nodes.map(({ url }) => url)];
  return urls[Math.floor(Math.random() * urls.length)] ?? world.server.url;
}

async function startReaders(cursor: string, count: number): Promise<EventReader[]> {
  const tokens: (() => Promise<string>)[] = [];
  for (let made = 0; made * READERS_PER_CREDENTIAL < count; made++) {
    const { body } = await world.agent.post("/api/v1/agent_tokens", { name: `Readers ${made}` });
    tokens.push(await sharedToken(world.server.url, body.token));
  }
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const token = tokens[index % tokens.length];
      if (token === undefined) throw new Error("no token");
      return startReader({ nodes: anyNode, token, after: cursor });
    }),
  );
}

/** Writes tasks while readers are disconnected at random, and one node is killed and restarted. */
async function writeAndCut(readers: readonly EventReader[]): Promise<void> {
  let written = 0;
  async function write(): Promise<void> {
    while (written++ < WRITES) {
      await createTask(world.ctx, { title: "One of many" });
      if (written % 5 === 0) readers[Math.floor(Math.random() * readers.length)]?.cut();
      if (written % 1000 === 0) await replaceNode();
    }
  }
  await Promise.all([write(), write(), write(), write()]);
}

async function replaceNode(): Promise<void> {
  await nodes.shift()?.kill();
  nodes.push(await startNode(world.server.database.url));
}

describe("180,000 deliveries to randomly disconnected readers on three nodes, some of them killed", () => {
  it.each(["with notifications", "without notifications"])(
    "have no gaps or repetitions, %s",
    async (mode) => {
      if (mode === "without notifications") await silenceBus(world.server.database);
      const { after, cursor } = await readPosition(world);
      const readers = await startReaders(cursor, READERS);
      await writeAndCut(readers);
      expect(await expectWhole(world, readers, after)).toBeGreaterThanOrEqual(READERS * WRITES);
      if (mode === "without notifications") await restoreBus(world.server.database);
    },
  );
});

describe("1,000 sockets that reconnect at once", () => {
  it("are accepted within 20 seconds and miss no event", async () => {
    const { after, cursor } = await readPosition(world);
    const readers = await startReaders(cursor, STORM);
    const started = performance.now();
    for (const reader of readers) reader.cut();
    for (let made = 0; made < 5; made++) await createTask(world.ctx, { title: "Meanwhile" });
    await expectWhole(world, readers, after);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
