import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenServices, openServices } from "../../src/services.ts";
import { findProviderId } from "../../src/domain/prices/provider-id.ts";
import { listShippedPrices } from "../../src/domain/prices/shipped-prices.ts";
import { verifyArgon2id } from "../../src/auth/vendor/oslo.ts";
import { createWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { type DemoCredentials, demoFilePath } from "../../src/demo/demo-file.ts";
import { demoLines } from "../../src/demo/demo-lines.ts";
import { fillDemo } from "../../src/demo/fill-demo.ts";
import { isPasswordKept } from "../../src/demo/is-password-kept.ts";
import { isDemoWanted } from "../../src/demo/is-demo-wanted.ts";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/config/logger.ts";
import { CONTRADICTIONS, fitsItsJob } from "../support/demo-truths.ts";
import { readConversationTruths } from "../support/conversations.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { waitForExit, runCli, spawnCli, startCli } from "../cli/run-cli.ts";

const log = createLogger("silent");
const TIMEOUT_MS = 120_000;

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

  it("creates conversations consistent with their messages", async () => {
    const { kept, true: expected } = await readConversationTruths({ database }, demo.workspaceId);
    expect(kept).toEqual(expected);
  });

  it("fills every collection, with correct totals", async () => {
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

  it("writes events in chronological order without gaps, and a valid audit chain", async () => {
    const [events] = await database.query(
      `SELECT count(*)::int AS count, max(e.seq)::int AS last, (SELECT h.seq::int FROM workspace_head h) AS head FROM event e`,
    );
    expect(events).toHaveProperty("last", Reflect.get(events ?? {}, "count"));
    expect(events).toHaveProperty("head", Reflect.get(events ?? {}, "count"));
    const broken = await database.query(
      `SELECT seq FROM (SELECT seq, prev_hash, lag(hash) OVER (ORDER BY seq) AS before FROM audit_event) a
       WHERE seq > 1 AND prev_hash <> before`,
    );
    expect(broken).toEqual([]);
  });

  it("is consistent", async () => {
    for (const [contradiction, statement] of Object.entries(CONTRADICTIONS)) {
      expect(await database.query(statement), contradiction).toEqual([]);
    }
  });

  it("has messages that fit their tasks' titles", async () => {
    const tasks = await database.query<{ queue: string; title: string; said: string; kind: string }>(
      `SELECT t.queue, t.title, m.parts->0->>'text' AS said, m.kind::text FROM message m JOIN task t ON t.id = m.task_id
       WHERE m.kind IN ('question', 'answer')
       UNION ALL SELECT queue, title, status_message, 'question' FROM task WHERE status = 'input_required'
       UNION ALL SELECT queue, title, error->>'message', 'failure' FROM task WHERE status = 'failed'`,
    );
    const kinds = new Set(tasks.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(["answer", "failure", "question"]);
    expect(tasks.filter((task) => !fitsItsJob(task))).toEqual([]);
  });

  it("has results for every run, including baselines", async () => {
    const runs = await database.query<{ baseline: boolean; counted: number; kept: number }>(
      `SELECT r.baseline, (r.result_counts->>'total')::int AS counted,
         (SELECT count(*)::int FROM eval_result x WHERE x.eval_run_id = r.id) AS kept FROM eval_run r`,
    );
    expect(runs.filter(({ counted, kept }) => counted !== kept)).toEqual([]);
    const baselines = runs.filter(({ baseline }) => baseline);
    expect(baselines.length).toBeGreaterThan(2);
    expect(baselines.every(({ kept }) => kept > 0)).toBe(true);
  });

  it("has traces of the last day's tasks, of which some failed, with models whose price is known", async () => {
    const traces = await database.query<{ status: string }>("SELECT status::text FROM trace");
    expect(traces).toHaveLength(30);
    expect(traces).toContainEqual({ status: "error" });
    const models = await database.query<{ provider: string; model: string }>(
      `SELECT DISTINCT provider, model FROM span WHERE op = 'llm'`,
    );
    const priced = models.filter(
      ({ provider, model }) => listShippedPrices(findProviderId(provider), model)[0],
    );
    expect(priced).toEqual(models);
  });

  it("stores working credentials that only their owner can read", async () => {
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
    const lines = demoLines(demo, {
      ...{ baseUrl: "http://127.0.0.1:4000", dataDir },
      isPasswordKept: await isPasswordKept(services, demo),
    }).join("\n");
    for (const shown of ["http://127.0.0.1:4000", demo.email, demo.password, demo.apiKey, dataDir]) {
      expect(lines).toContain(shown);
    }
  });

  it.each([
    [{ HOST: "::", PORT: "4100" }, "http://localhost:4100\n"],
    [{ HOST: "::1", PORT: "4100" }, "http://[::1]:4100\n"],
    [{ PORT: "0" }, "the URL that the server prints when it starts\n"],
    [{ PORT: "0", PUBLIC_BASE_URL: "https://ops.example.com" }, "https://ops.example.com\n"],
  ])("prints its URL with %j", async (environment, place) => {
    const run = await runCli(["demo"], { DATABASE_URL: database.url, DATA_DIR: dataDir, ...environment });
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`  Open      ${place}`) });
  });

  it("doesn't print a changed password", async () => {
    const [operator] = await database.query<{ hashed_password: string }>(
      `SELECT hashed_password FROM "user" WHERE email = $1`,
      [demo.email],
    );
    const set = (value: string) =>
      database.query(`UPDATE "user" SET hashed_password = $1 WHERE email = $2`, [value, demo.email]);
    await set(await services.passwords.hash("another password"));
    const kept = await isPasswordKept(services, demo);
    await set(operator?.hashed_password ?? "");
    expect(kept).toBe(false);
    const lines = demoLines(demo, { baseUrl: "http://127.0.0.1:4000", dataDir, isPasswordKept: kept });
    expect(lines.join("\n")).not.toContain(demo.password);
    expect(lines.join("\n")).toContain("(its password was changed)");
  });

  it("changes nothing when it is complete", async () => {
    const [before, file] = [await wholeState(), await stat(demoFilePath(dataDir))];
    expect(await fillDemo(services, { log, dataDir })).toEqual(demo);
    expect(await wholeState()).toEqual(before);
    expect((await stat(demoFilePath(dataDir))).mtimeMs).toBe(file.mtimeMs);
  });
});

describe("fillDemo of an interrupted demo", { timeout: TIMEOUT_MS }, () => {
  beforeEach(open);
  afterEach(close);

  it("continues where it was killed, also concurrently", async () => {
    const child = startCli(["demo"], { DATABASE_URL: database.url, DATA_DIR: dataDir });
    await vi.waitFor(async () => expect((await keptTotals())["tasks all"]).toBeGreaterThan(200), {
      ...{ timeout: 60_000, interval: 10 },
    });
    child.kill("SIGKILL");
    await waitForExit(child);
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

  it("keeps changes made meanwhile", async () => {
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

  it("is true for an empty database, false if there is another workspace", async () => {
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
  "budgets",
  "policies",
  "alert_rules",
];
const WITHOUT_STATUS = new Set(["alert_rules", "policies", "budgets", "users", "agents", "robots"]);

async function keptTotals(): Promise<Record<string, number>> {
  const rows = await database.query<{ name: string; total: number }>(
    "SELECT collection || ' ' || facet AS name, total FROM collection_total WHERE total > 0",
  );
  return Object.fromEntries(rows.map(({ name, total }) => [name, total]));
}

async function countedTotals(): Promise<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const collection of COLLECTIONS) {
    const table = collection.replace(/ies$/, "y").replace(/s$/, "");
    const status = collection === "messages" ? "CASE WHEN waiting THEN 'waiting' END" : "status::text";
    const facet = WITHOUT_STATUS.has(collection) ? "NULL::text" : status;
    const rows = await database.query<{ facet: string; count: number }>(
      `SELECT 'all' AS facet, count(*)::int AS count FROM "${table}"
       UNION ALL SELECT facet, count(*)::int FROM (SELECT ${facet} AS facet FROM "${table}") each
         WHERE facet IS NOT NULL GROUP BY facet`,
    );
    for (const row of rows) totals[`${collection} ${row.facet}`] = row.count;
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
