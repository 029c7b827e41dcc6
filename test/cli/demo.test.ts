import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenServices, openServices } from "../../src/services.ts";
import { verifyArgon2id } from "../../src/auth/vendor/oslo.ts";
import { createWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { type DemoCredentials, demoFilePath } from "../../src/cli/demo/demo-file.ts";
import { demoLines } from "../../src/cli/demo/demo-lines.ts";
import { fillDemo } from "../../src/cli/demo/fill-demo.ts";
import { isDemoWanted } from "../../src/cli/demo/is-demo-wanted.ts";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/config/logger.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { ended, runCli, spawnCli, startCli } from "./run-cli.ts";

const log = createLogger("silent");
const TIMEOUT_MS = 60_000;

let database: TestDatabase;
let dataDir: string;
let services: OpenServices;

async function open(): Promise<void> {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), "agent-ops-demo-"));
  services = await openServices(readConfig({ DATABASE_URL: database.url }), log);
}

async function close(): Promise<void> {
  await services.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
}

describe("fillDemo", { timeout: TIMEOUT_MS }, () => {
  let demo: DemoCredentials;

  beforeAll(async () => {
    await open();
    demo = await fillDemo(services, { log, dataDir });
  });
  afterAll(close);

  it("fills every collection, and its totals are those of the rows", async () => {
    const [kept, counted] = [await keptTotals(), await countedTotals()];
    expect(kept).toEqual(counted);
    expect(kept).toMatchObject({
      ...{ "tasks all": 3000, "missions all": 600, "eval_runs all": 150 },
      ...{ "agents all": 27, "robots all": 10 },
    });
    expect(kept["messages all"]).toBeGreaterThan(3500);
    expect(kept["agent_commands all"]).toBeGreaterThan(1400);
    for (const open of ["working", "submitted", "input_required", "failed"]) {
      expect(kept[`tasks ${open}`]).toBeGreaterThan(0);
    }
  });

  it("appends one event a row in one order, and chains its audit rows", async () => {
    const [events] = await database.query(
      `SELECT count(*)::int AS count, max(e.seq)::int AS last, (SELECT h.seq::int FROM workspace_head h) AS head,
         count(DISTINCT e.subject_id) FILTER (WHERE e.type = 'task.created')::int AS tasks FROM event e`,
    );
    expect(events).toMatchObject({ tasks: 3000 });
    expect(events).toHaveProperty("last", Reflect.get(events ?? {}, "count"));
    expect(events).toHaveProperty("head", Reflect.get(events ?? {}, "count"));
    const broken = await database.query(
      `SELECT seq FROM (SELECT seq, prev_hash, lag(hash) OVER (ORDER BY seq) AS before FROM audit_event) a
       WHERE seq > 1 AND prev_hash <> before`,
    );
    expect(broken).toEqual([]);
  });

  it("tells nothing that contradicts itself", async () => {
    for (const [contradiction, statement] of Object.entries(CONTRADICTIONS)) {
      expect(await database.query(statement), contradiction).toEqual([]);
    }
  });

  it("keeps the credentials for their owner only, and they work", async () => {
    expect((await stat(demoFilePath(dataDir))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(demoFilePath(dataDir), "utf8"))).toEqual({
      ...{ workspace_id: demo.workspaceId, api_key: demo.apiKey, scim_token: demo.scimToken },
      ...{ email: demo.email, password: demo.password, filled: true },
    });
    expect(demo.password).toHaveLength(20);
    const [operator] = await database.query<{ hashed_password: string }>(
      `SELECT role, hashed_password, confirmed_at IS NOT NULL AS confirmed FROM "user" WHERE email = $1`,
      [demo.email],
    );
    expect(operator).toMatchObject({ role: "owner", confirmed: true });
    expect(await verifyArgon2id(operator?.hashed_password ?? "", demo.password)).toBe(true);
    const lines = demoLines(demo, { baseUrl: "http://127.0.0.1:4000", dataDir }).join("\n");
    for (const shown of ["http://127.0.0.1:4000", demo.email, demo.password, demo.apiKey, dataDir]) {
      expect(lines).toContain(shown);
    }
  });

  it("changes nothing when it is complete", async () => {
    const [before, file] = [await wholeState(), await stat(demoFilePath(dataDir))];
    expect(await fillDemo(services, { log, dataDir })).toEqual(demo);
    expect(await wholeState()).toEqual(before);
    expect((await stat(demoFilePath(dataDir))).mtimeMs).toBe(file.mtimeMs);
  });
});

describe("fillDemo of a demo that was cut", { timeout: TIMEOUT_MS }, () => {
  beforeEach(open);
  afterEach(close);

  it("goes on where it was killed, also twice at once", async () => {
    const child = startCli(["demo"], { DATABASE_URL: database.url, DATA_DIR: dataDir });
    await vi.waitFor(async () => expect((await keptTotals())["tasks all"]).toBeGreaterThan(200), {
      ...{ timeout: 30_000, interval: 10 },
    });
    child.kill("SIGKILL");
    await ended(child);
    expect((await keptTotals())["eval_runs all"]).toBeUndefined();
    expect(await isDemoWanted(services, dataDir)).toBe(true);
    const other = await openServices(readConfig({ DATABASE_URL: database.url }), log);
    const filling = [services, other].map((each) => fillDemo(each, { log, dataDir }));
    const both = await Promise.all(filling);
    await other.close();
    expect(both[0]).toEqual(both[1]);
    expect(await keptTotals()).toEqual(await countedTotals());
    expect(await keptTotals()).toMatchObject({
      "tasks all": 3000,
      "missions all": 600,
      "eval_runs all": 150,
    });
    expect(await isDemoWanted(services, dataDir)).toBe(false);
  });

  it("leaves what people do meanwhile as it is", async () => {
    const stop = new AbortController();
    stop.abort();
    const { workspaceId } = await fillDemo(services, { log, dataDir, signal: stop.signal });
    await createWorkspace(services, { name: "Somebody else's" });
    const own = await runCli(
      ["key", "create", "--workspace", workspaceId, "--scopes", "tasks:read", "--json"],
      { DATABASE_URL: database.url },
    );
    expect(own.exitCode).toBe(0);
    const demo = await fillDemo(services, { log, dataDir });
    expect(demo).toMatchObject({ workspaceId, filled: true });
    const kept = await database.query<{ total: number }>(
      "SELECT total FROM collection_total WHERE workspace_id = $1 AND collection = 'agents'",
      [workspaceId],
    );
    expect(kept).toEqual([{ total: 28 }]);
  });
});

describe("isDemoWanted", () => {
  beforeEach(open);
  afterEach(close);

  it("is true for an empty database, false where there is somebody else's workspace", async () => {
    expect(await isDemoWanted(services, dataDir)).toBe(true);
    await createWorkspace(services, { name: "Acme" });
    expect(await isDemoWanted(services, dataDir)).toBe(false);
  });
});

describe("demo", { timeout: TIMEOUT_MS }, () => {
  beforeEach(open);
  afterEach(close);

  it("fills the demo and prints its credentials as one JSON object", async () => {
    const { exitCode, stdout, stderr } = await spawnCli(["demo", "--json"], {
      ...{ DATABASE_URL: database.url, DATA_DIR: dataDir },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(await readFile(demoFilePath(dataDir), "utf8")));
  });
});

const COLLECTIONS = [
  "users",
  "agents",
  "messages",
  "tasks",
  "eval_runs",
  "agent_commands",
  "robots",
  "missions",
];
const WITHOUT_STATUS = new Set(["users", "agents", "messages", "robots"]);

async function keptTotals(): Promise<Record<string, number>> {
  const rows = await database.query<{ name: string; total: number }>(
    "SELECT collection || ' ' || facet AS name, total FROM collection_total WHERE total > 0",
  );
  return Object.fromEntries(rows.map(({ name, total }) => [name, total]));
}

async function countedTotals(): Promise<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const collection of COLLECTIONS) {
    const table = collection.replace(/s$/, "");
    const facet = WITHOUT_STATUS.has(collection) ? "" : ", status::text";
    const rows = await database.query<{ status?: string; count: number }>(
      `SELECT count(*)::int AS count ${facet} FROM "${table}" GROUP BY GROUPING SETS ((), (workspace_id ${facet}))`,
    );
    for (const { status, count } of rows) totals[`${collection} ${status ?? "all"}`] = count;
  }
  return totals;
}

async function wholeState(): Promise<unknown> {
  return {
    totals: await keptTotals(),
    counted: await countedTotals(),
    heads: await database.query("SELECT seq, audit_seq FROM workspace_head"),
    users: await database.query(`SELECT id, generation FROM "user" ORDER BY id`),
  };
}

const ORDERED = `
  finished_at < started_at OR started_at < created_at OR finished_at < created_at
  OR greatest(created_at, started_at, finished_at, updated_at) > now()`;

/** Each finds rows that can't be true. */
const CONTRADICTIONS: Record<string, string> = {
  "a task out of time": `SELECT id FROM task WHERE finished_at < created_at
    OR greatest(created_at, updated_at, finished_at) > now()`,
  "a terminal task without an end": `SELECT id FROM task
    WHERE (status IN ('completed', 'failed', 'canceled', 'rejected')) <> (finished_at IS NOT NULL)`,
  "a failed task without a reason": "SELECT id FROM task WHERE (status = 'failed') <> (error IS NOT NULL)",
  "a retry of what had not failed": `SELECT t.id FROM task t JOIN task p ON p.id = t.parent_task_id
    WHERE p.status <> 'failed' OR p.finished_at > t.created_at`,
  "a mission out of time": `SELECT id FROM mission WHERE ${ORDERED}`,
  "a step outside its mission": `SELECT s.key FROM mission_step s JOIN mission m ON m.id = s.mission_id
    WHERE s.started_at < m.started_at OR s.finished_at < s.started_at OR s.finished_at > m.finished_at`,
  "a command out of time": `SELECT id FROM agent_command WHERE ${ORDERED}
    OR delivered_at < created_at OR acknowledged_at < delivered_at OR started_at < acknowledged_at`,
  "a run out of time": `SELECT id FROM eval_run WHERE ${ORDERED}`,
  "a run whose counts are not its results": `SELECT id FROM eval_run r WHERE EXISTS
    (SELECT 1 FROM eval_result x WHERE x.eval_run_id = r.id) AND (result_counts->>'passed')::int <>
    (SELECT count(*) FROM eval_result x WHERE x.eval_run_id = r.id AND x.status = 'passed')`,
  "a message out of its task's context": `SELECT m.id FROM message m JOIN task t ON t.id = m.task_id
    WHERE m.context_id <> t.context_id OR m.created_at < t.created_at`,
  "an answer to nothing": `SELECT q.id FROM message q LEFT JOIN message a ON a.id = q.answered_by_id
    WHERE q.answered_by_id IS NOT NULL AND a.reply_to_id IS DISTINCT FROM q.id`,
  "a busy robot without its mission": `SELECT r.id FROM robot r LEFT JOIN mission m ON m.id = r.current_mission_id
    WHERE (r.status = 'executing') <> (m.status IS NOT DISTINCT FROM 'running')`,
  "an id of another time": `SELECT id FROM task WHERE ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint
    <> round(extract(epoch FROM created_at) * 1000)`,
};
