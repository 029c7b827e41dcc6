import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { createTestClient } from "../support/test-client.ts";
import { sharedToken, startReader } from "../support/event-reader.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import {
  type TestSocket,
  agentSocket,
  connectSocket,
  personSocket,
  socketToken,
} from "../support/socket-client.ts";
import { expectWhole, readPosition } from "../support/whole-readers.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

// This starts whole servers, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const SHIFT = fileURLToPath(new URL("../support/shifted-clock.ts", import.meta.url));
const TEN_MINUTES_MS = 600_000;

let world: TestWorld;
let ahead: NodeProcess;
let behind: NodeProcess;
let stepping: NodeProcess;

beforeAll(async () => {
  world = await createWorld();
  [ahead, behind, stepping] = await Promise.all([
    startShifted(TEN_MINUTES_MS),
    startShifted(-TEN_MINUTES_MS),
    startShifted(TEN_MINUTES_MS, { CLOCK_STEPS: "1" }),
  ]);
});

afterAll(async () => {
  await Promise.all([ahead, behind, stepping].map((node) => node.stop()));
  await world.server.close();
});

/** Starts a server in a process with a wrong clock. */
function startShifted(shiftMs: number, more: Record<string, string> = {}): Promise<NodeProcess> {
  const environment = {
    NODE_OPTIONS: `--import=tsx --import=${SHIFT}`,
    CLOCK_SHIFT_MS: String(shiftMs),
    ...more,
  };
  return startNode(world.server.database.url, environment);
}

describe("nodes whose clocks are ten minutes ahead, ten behind, or jump between the two", () => {
  it("deliver every event once and in order, from any node", async () => {
    const nodes = [ahead, behind, stepping];
    const token = await sharedToken(world.server.url, world.apiKey);
    const { after, cursor } = await readPosition(world);
    const readers = await Promise.all(
      nodes.map(({ url }) => startReader({ nodes: () => url, token, after: cursor })),
    );
    for (let round = 0; round < 10; round++) {
      for (const { url } of nodes) {
        const made = await createTestClient(url, world.apiKey).post("/api/v1/tasks", { title: "When?" });
        expect(made.status).toBe(201);
      }
      await createTask(world.ctx, { title: "Now" });
    }
    await expectWhole(world, readers, after);
  });

  it("accept and close sockets by PostgreSQL's time", async () => {
    const person = await createPerson(world.server, world.workspaceId);
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const { body: minted } = await world.agent.post("/api/v1/agent_tokens", { name: "Short" });
    const expired = await socketToken(world.server.url, world.apiKey);
    const { query } = world.server.database;
    await query("UPDATE socket_token SET expires_at = now() WHERE digest = sha256($1::bytea)", [expired]);
    const [row] = await query<{ at: Date }>(
      "UPDATE agent_token SET expires_at = now() + interval '10 seconds' WHERE id = $1 RETURNING expires_at AS at",
      [minted.id],
    );
    const ends: number[] = [];
    const open: Record<"short" | "long", TestSocket>[] = [];
    for (const { url } of [ahead, behind, stepping]) {
      const late = await connectSocket(url, { init: { token: expired } });
      expect((await late.closed).code).toBe(4403);
      const [short, long] = [await agentSocket(url, minted.token), await personSocket(url, cookie)];
      short.socket.once("close", () => ends.push(Date.now()));
      open.push({ short, long });
    }
    for (const { short } of open) expect((await short.closed).code).toBe(4403);
    const end = row?.at.getTime() ?? 0;
    expect(Math.min(...ends)).toBeGreaterThanOrEqual(end - 500);
    // Takes a second, unless the machine is busy.
    expect(Math.max(...ends)).toBeLessThan(end + 8000);
    for (const { long } of open) {
      long.send({ type: "ping" });
      await long.until(({ type }) => type === "pong");
      long.socket.terminate();
    }
  });

  it("hand out tasks at once, whichever node created them", async () => {
    for (const { url } of [ahead, behind, stepping]) {
      const queue = crypto.randomUUID();
      const made = await createTestClient(url, world.apiKey).post("/api/v1/tasks", { title: "Now", queue });
      const claimed = await createTestClient(behind.url, world.apiKey).post("/api/v1/tasks/claim", {
        queues: [queue],
      });
      expect({ status: claimed.status, id: claimed.body?.task?.id }).toEqual({
        status: 200,
        id: made.body.task?.id,
      });
    }
  });

  it("respond to waiting requests in time", async () => {
    // Of two waits, one ends after a jump forward, the other after a jump back.
    for (let round = 0; round < 2; round++) {
      const started = performance.now();
      const answers = await Promise.all(
        [ahead, behind, stepping].map(({ url }) =>
          createTestClient(url, world.apiKey).get("/api/v1/events?types=eval_run.*&wait=1"),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(performance.now() - started).toBeGreaterThanOrEqual(900);
      expect(performance.now() - started).toBeLessThan(10_000);
    }
  });
});
