import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { spawnCli } from "../cli/run-cli.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";
import { sharedToken, startReader } from "../support/event-reader.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { agentSocket } from "../support/socket-client.ts";

// This starts whole servers, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let dataDir: string;
let node: NodeProcess;
let other: NodeProcess;
let workspaceId: string;
let apiKey: string;
let agent: TestClient;

function environment(): Record<string, string> {
  return { DATA_DIR: dataDir, DEMO: "0" };
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "agent-ops-restart-"));
  // As root, PostgreSQL runs as another user, who needs access.
  await chmod(dataDir, 0o711);
  node = await startNode(null, environment());
  const made = await spawnCli(["workspace", "create", "--name", "Restarted", "--json"], environment());
  ({ workspace_id: workspaceId, api_key: apiKey } = JSON.parse(made.stdout));
  agent = createTestClient(node.url, apiKey);
  other = await startNode(null, environment());
});

afterAll(async () => {
  for (const each of [other, node]) await each.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

/** Maximum time for a server to reconnect to its database. */
const AGAIN = { timeout: 15_000, interval: 100 };

async function postgresPid(): Promise<number> {
  const file = join(dataDir, "postgres", "cluster", "data", "postmaster.pid");
  return Number((await readFile(file, "utf8")).split("\n")[0]);
}

describe("a PostgreSQL that crashes under two servers", () => {
  it("loses no acknowledged event, and subscribers receive each once", async () => {
    const token = await sharedToken(node.url, apiKey);
    const { body: start } = await agent.get("/api/v1/events");
    const readers = await Promise.all(
      [node, other].map(({ url }) => startReader({ nodes: () => url, token, after: start.next_after })),
    );
    const acknowledged: string[] = [];
    async function post(): Promise<number> {
      const made = await agent.post("/api/v1/tasks", { title: "Before or after" });
      if (made.status === 201) acknowledged.push(made.body.task.id);
      return made.status;
    }
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 10; n++) await expect.poll(post, AGAIN).toBe(201);
      process.kill(await postgresPid(), "SIGQUIT");
      await expect.poll(post, AGAIN).toBe(201);
    }
    const { body } = await agent.get(`/api/v1/events?limit=500&after=${start.next_after}`);
    const stored: { seq: number; subject_id: string }[] = body.events;
    for (const reader of readers) {
      await reader.reached(stored.at(-1)?.seq ?? 0);
      reader.stop();
      expect(reader.seqs.slice(0, stored.length)).toEqual(stored.map(({ seq }) => seq));
      expect(reader.resets).toEqual([]);
    }
    const subjects = new Set(stored.map(({ subject_id: id }) => id));
    expect(acknowledged.filter((id) => !subjects.has(id))).toEqual([]);
  });
});

describe("the command line next to running servers", () => {
  it("closes the sockets of each at once", async () => {
    const mint = async () => (await agent.post("/api/v1/socket_tokens")).status;
    await expect.poll(mint, AGAIN).toBe(201);
    const sockets = await Promise.all([node, other].map(({ url }) => agentSocket(url, apiKey)));
    const { exitCode } = await spawnCli(["workspace", "suspend", "--workspace", workspaceId], environment());
    expect(exitCode).toBe(0);
    const ended = performance.now();
    for (const socket of sockets) expect((await socket.closed).code).toBe(4403);
    // The sweep would also find it eventually.
    expect(performance.now() - ended).toBeLessThan(5000);
  });
});
