import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { insertEvents } from "../support/event-log.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import {
  type TestSocket,
  agentSocket,
  nextFrame,
  socketToken,
  subscribe,
  tokenSocket,
} from "../support/socket-client.ts";
import { wideEvents } from "../support/wide-events.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 120_000 });

const SOCKETS = 100;
const SUBSCRIPTIONS = 20;
const EVENTS = 200;

let world: TestWorld;
let node: NodeProcess;

beforeAll(async () => {
  world = await createWorld();
  node = await startNode(world.server.database.url);
});

afterAll(async () => {
  await node.stop();
  await world.server.close();
});

/** Opens the maximum number of sockets of a credential, with the maximum number of subscriptions, each with its own document. */
async function attack(apiKey: string, width: number): Promise<TestSocket[]> {
  const token = await socketToken(node.url, apiKey);
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => tokenSocket(node.url, token)));
  for (const [one, socket] of sockets.entries()) {
    for (let at = 0; at < SUBSCRIPTIONS; at++) {
      const query = wideEvents(`s${one}d${at}_`, width);
      socket.send({ type: "subscribe", id: `${at}`, payload: { query } });
    }
  }
  return sockets;
}

/** The median time in milliseconds until another workspace receives its own event. */
async function measureLatency(calm: TestSocket, ctx: TestWorld["ctx"]): Promise<number> {
  const latencies: number[] = [];
  for (let made = 0; made < 20; made++) {
    const started = performance.now();
    const { id } = await createTask(ctx, { title: "Seen by one" });
    expect((await nextFrame(calm)).subjectUuid).toBe(id);
    latencies.push(performance.now() - started);
  }
  return latencies.toSorted((a, b) => a - b)[10] ?? Infinity;
}

/** A process's memory in bytes. Linux only. */
function readMemory(pid: number): number {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

describe("20 subscriptions on each of 100 sockets of a credential, each of its own document", () => {
  it.each([480, 90])(
    "of %i fields don't affect the node, its memory and another workspace's events",
    async (width) => {
      const greedy = await world.another();
      const neighbour = await world.another();
      const calm = await agentSocket(node.url, neighbour.apiKey);
      subscribe(calm, "calm", { types: ["task.created"] });
      await nextFrame(calm);
      const alone = await measureLatency(calm, neighbour.ctx);
      const before = readMemory(node.pid);
      const sockets = await attack(greedy.apiKey, width);
      // Sockets that don't read get data too.
      for (const { socket } of sockets.slice(0, SOCKETS / 2)) socket.pause();
      for (let batch = 0; batch < 5; batch++) {
        await insertEvents(world.server.database, greedy.workspaceId, { count: EVENTS, size: 2000 });
      }
      const meanwhile = await measureLatency(calm, neighbour.ctx);
      expect(meanwhile).toBeLessThan(Math.max(10 * alone, 250));
      expect(readMemory(node.pid) - before).toBeLessThan(400 * 1024 * 1024);
      expect(calm.socket.readyState).toBe(calm.socket.OPEN);
      for (const { socket } of [...sockets, calm]) socket.terminate();
    },
  );
});
