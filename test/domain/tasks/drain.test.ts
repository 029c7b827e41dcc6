import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { createKeyWith } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { sizeOf } from "../../support/soak.ts";

const DRAINER = fileURLToPath(new URL("../../support/task-drainer.ts", import.meta.url));
const TASKS = sizeOf(500, 5000);
const PROCESSES = 4;
/** A process is killed after so many effects, of all together. */
const KILL_EVERY = TASKS / 10;

let server: TestServer;
let workspaceId: string;
let key: string;

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMIT: "0" });
  ({ workspaceId } = await server.createWorkspace());
  key = await createKeyWith(server, workspaceId, ["tasks:work"]);
});

afterAll(() => server.close());

/** Runs workers in processes, and kills the one whose effect is the next in turn. */
function runDrainers(queue: string): { effects: string[]; kills: () => number; stop: () => Promise<void> } {
  const effects: string[] = [];
  const running = new Set<ChildProcess>();
  let kills = 0;
  let stopping = false;
  function start(): void {
    const args = ["--import", "tsx", DRAINER, server.url, key, queue];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    running.add(child);
    createInterface({ input: child.stdout }).on("line", (effect) => {
      effects.push(effect);
      if (effects.length % KILL_EVERY !== 0 || stopping) return;
      kills++;
      child.kill("SIGKILL");
    });
    child.once("exit", () => {
      running.delete(child);
      if (!stopping) start();
    });
  }
  for (let index = 0; index < PROCESSES; index++) start();
  return {
    effects,
    kills: () => kills,
    stop: async () => {
      stopping = true;
      const exits = [...running].map((child) => once(child, "close"));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(exits);
    },
  };
}

async function countByStatus(): Promise<Record<string, number>> {
  const rows = await server.database.query<{ status: string; count: number }>(
    "SELECT status::text, count(*)::int AS count FROM task WHERE workspace_id = $1 GROUP BY status",
    [workspaceId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

describe("20 workers whose processes are killed at random", () => {
  it(
    `drain ${TASKS} tasks: each is completed once, and each effect, by its task and fencing token, is done once`,
    async () => {
      const ctx = server.systemCtx(workspaceId);
      for (let made = 0; made < TASKS; made += 20) {
        const batch = Array.from({ length: 20 }, () =>
          createTask(ctx, { title: "x", queue: "drain", maxAttempts: 20 }),
        );
        await Promise.all(batch);
      }
      const drainers = runDrainers("drain");
      try {
        await vi.waitFor(async () => expect(await countByStatus()).toEqual({ completed: TASKS }), {
          timeout: sizeOf(90_000, 600_000),
          interval: 200,
        });
      } finally {
        await drainers.stop();
      }
      expect(drainers.kills()).toBeGreaterThanOrEqual(5);
      expect(new Set(drainers.effects).size).toBe(drainers.effects.length);
      const done = await server.database.query<{ effect: string }>(
        `SELECT id || ' ' || (output ->> 'attempt') AS effect FROM task
       WHERE workspace_id = $1 AND attempt = (output ->> 'attempt')::int`,
        [workspaceId],
      );
      const effects = new Set(drainers.effects);
      expect(done).toHaveLength(TASKS);
      expect(done.filter(({ effect }) => !effects.has(effect))).toEqual([]);
      const completions = await server.database.query(
        `SELECT subject_id FROM event WHERE workspace_id = $1 AND type = 'task.completed'
       GROUP BY subject_id HAVING count(*) <> 1`,
        [workspaceId],
      );
      expect(completions).toEqual([]);
      const totals = await server.database.query(
        "SELECT facet, total FROM collection_total WHERE workspace_id = $1 AND collection = 'tasks' AND total <> 0 ORDER BY 1",
        [workspaceId],
      );
      expect(totals).toEqual([
        { facet: "all", total: TASKS },
        { facet: "completed", total: TASKS },
      ]);
    },
    sizeOf(120_000, 660_000),
  );
});
