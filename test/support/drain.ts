import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { createKeyWith } from "./callers.ts";
import type { TestServer } from "./server.ts";

const DRAINER = fileURLToPath(new URL("task-drainer.ts", import.meta.url));
const PROCESSES = 4;

/** Where workers find their tasks, and the total number of effects after which one process is killed. */
type Drain = { url: string; key: string; queue: string; killEvery: number };

/**
 * Lets 20 workers in four processes complete many tasks, kills ten processes meanwhile, and expects that each task is
 * completed once and each effect, by its task and fencing token, happens once.
 */
export async function expectDrained(
  server: TestServer,
  { tasks, timeoutMs }: { tasks: number; timeoutMs: number },
): Promise<void> {
  const { workspaceId } = await server.createWorkspace();
  const key = await createKeyWith(server, workspaceId, ["tasks:work"]);
  const ctx = server.systemCtx(workspaceId);
  for (let made = 0; made < tasks; made += 20) {
    const batch = Array.from({ length: 20 }, () =>
      createTask(ctx, { title: "x", queue: "drain", maxAttempts: 20 }),
    );
    await Promise.all(batch);
  }
  const drainers = runDrainers({ url: server.url, key, queue: "drain", killEvery: tasks / 10 });
  try {
    await vi.waitFor(
      async () => expect(await countByStatus(server, workspaceId)).toEqual({ completed: tasks }),
      {
        timeout: timeoutMs,
        interval: 200,
      },
    );
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
  expect(done).toHaveLength(tasks);
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
    { facet: "all", total: tasks },
    { facet: "completed", total: tasks },
  ]);
}

/** Runs workers in processes, and kills the one that has the next effect in turn. */
function runDrainers({ url, key, queue, killEvery }: Drain): {
  effects: string[];
  kills: () => number;
  stop: () => Promise<void>;
} {
  const effects: string[] = [];
  const running = new Set<ChildProcess>();
  let kills = 0;
  let stopping = false;
  function start(): void {
    const args = ["--import", "tsx", DRAINER, url, key, queue];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    running.add(child);
    createInterface({ input: child.stdout }).on("line", (effect) => {
      effects.push(effect);
      if (effects.length % killEvery !== 0 || stopping) return;
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

async function countByStatus({ database }: TestServer, workspaceId: string): Promise<Record<string, number>> {
  const rows = await database.query<{ status: string; count: number }>(
    "SELECT status::text, count(*)::int AS count FROM task WHERE workspace_id = $1 GROUP BY status",
    [workspaceId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
