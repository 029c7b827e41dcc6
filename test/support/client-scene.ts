import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Schemas } from "../../src/client/api-types.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import { type TestWorld, createWorld } from "./test-world.ts";

/** The published client for an agent, and a client to create its work. Everything ends with the test. */
export type ClientScene = {
  world: TestWorld;
  operator: Client;
  /** Each test has its own agent. */
  handle: string;
  agent: Client;
  /** A path without a file. */
  journal: string;
  stop: AbortController;
  running: Promise<unknown>[];
  /** Log lines of the agent's client. */
  logged: string[];
  /** The latest event before the test. */
  newest: string;
  createTask: (queue: string) => Promise<string>;
  /** Waits until a task has a status. */
  taskWhen: (id: string, status: string) => Promise<Schemas["Task"]>;
};

/** Creates a new scene for each test of a file. */
export function useClientScene(): ClientScene {
  const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-client-"));
  // The hooks fill in the rest before it is read.
  const scene = { createTask, taskWhen } as ClientScene;

  async function createTask(queue: string): Promise<string> {
    const { task } = await scene.operator.send("POST /tasks", { body: { title: "A task", queue } });
    return task.id;
  }

  async function taskWhen(id: string, status: string): Promise<Schemas["Task"]> {
    for await (const { kind } of scene.operator.events({ after: scene.newest, subject: id })) {
      const { task } = await scene.operator.send("GET /tasks/{id}", { id, query: {} });
      if (kind === "event" && task.status === status) return task;
    }
    throw new Error("the events ended");
  }

  beforeAll(async () => {
    scene.world = await createWorld();
    scene.operator = createClient({ url: scene.world.server.url, token: scene.world.apiKey });
  });
  beforeEach(async () => {
    const { server, apiKey: token } = scene.world;
    const handle = `a-${crypto.randomUUID()}`;
    const logged: string[] = [];
    const log = (line: string) => void logged.push(line);
    const agent = createClient({ url: `${server.url}/`, token, agent: { handle }, log });
    const { next_after: newest } = await scene.operator.send("GET /events", { query: {} });
    const journal = path.join(folder, handle);
    Object.assign(scene, {
      handle,
      agent,
      logged,
      newest,
      journal,
      stop: new AbortController(),
      running: [],
    });
  });
  afterEach(async () => {
    scene.stop.abort();
    await Promise.all(scene.running);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await scene.world.server.close();
  });
  return scene;
}
