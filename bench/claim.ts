import { pino } from "pino";
import { openServices } from "../src/services.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import type { Database } from "../src/db/client.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { startSubject } from "./processes.ts";

const SIZES = [1000, 10_000, 100_000, 1_000_000];
const CLAIMS = Number(process.env["BENCH_CLAIMS"] ?? 400);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const WORKERS = 8;
/** Rows per statement: few enough for the server's time limit. */
const BATCH = 50_000;

type Queue = { rows: number; apiKey: string; workspaceId: string };

/** The duration of a claim over HTTP, with 1,000 to 1,000,000 waiting tasks. It should not depend on their number. */
export async function claimBench(): Promise<void> {
  const embedded = await startTemporary(pino({ level: "warn" }, pino.destination(2)));
  const environment = { DATABASE_URL: embedded.url, NODE_ENV: "production" };
  const ours = { ...environment, PORT: "0", RATE_LIMIT: "0", DEMO: "0" };
  try {
    const queues = await seed(embedded.url);
    const subject = await startSubject("Agent Ops", ["dist/src/main.js"], ours);
    try {
      await compare(subject.url, queues);
    } finally {
      await subject.stop();
    }
  } finally {
    await embedded.stop();
  }
}

async function seed(databaseUrl: string): Promise<Queue[]> {
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), pino({ level: "silent" }));
  const queues: Queue[] = [];
  for (const rows of SIZES) {
    const { workspaceId, apiKey } = await createWorkspace(services, { name: `${rows} tasks` });
    await insertTasks(services.database, workspaceId, rows);
    queues.push({ rows, apiKey, workspaceId });
  }
  await services.database.prisma.$executeRawUnsafe("VACUUM ANALYZE task");
  await services.close();
  return queues;
}

async function insertTasks({ prisma }: Database, workspaceId: string, rows: number): Promise<void> {
  for (let from = 1; from <= rows; from += BATCH) {
    await prisma.$executeRawUnsafe(TASKS, workspaceId, from, Math.min(from + BATCH - 1, rows));
  }
  await prisma.$executeRawUnsafe(
    `INSERT INTO collection_total (workspace_id, collection, facet, total, version)
     SELECT $1::uuid, 'tasks', f.facet, $2, 1 FROM (VALUES ('all'), ('submitted')) AS f(facet)`,
    workspaceId,
    rows,
  );
}

/** Of ten tasks, one is for tomorrow with the highest priority, two are for the other agent and one is in another queue. */
const TASKS = `
INSERT INTO task (workspace_id, id, context_id, title, queue, priority, run_after, assignee_agent_id, created_by, created_at)
SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'Refund order ' || n,
  CASE WHEN n % 10 = 1 THEN 'other' ELSE 'billing' END,
  CASE WHEN n % 10 = 2 THEN 9 ELSE n % 7 END,
  CASE WHEN n % 10 = 2 THEN now() + interval '1 day' END,
  CASE WHEN n % 10 IN (3, 4) THEN (SELECT id FROM agent WHERE workspace_id = $1::uuid LIMIT 1) END,
  '{"id": null, "name": "bench", "type": "system"}', now() - n * interval '1 second'
FROM generate_series($2::int, $3::int) n`;

async function compare(url: string, queues: Queue[]): Promise<void> {
  const bearers = new Map<number, string>();
  for (const { rows, apiKey } of queues) bearers.set(rows, await mint(url, apiKey));
  const measured = new Map<number, number[]>(queues.map(({ rows }) => [rows, []]));
  // Interleaved, so that other load on the machine affects all of them equally.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { rows } of queues) {
      const times = await claimMany(url, bearers.get(rows) ?? "", round === 0 ? 40 : CLAIMS / ROUNDS);
      // The first round is a warm-up.
      if (round > 0) measured.get(rows)?.push(...times);
    }
  }
  print(["tasks waiting", "claims", "p50 ms", "p99 ms", "p50 against 1,000"]);
  const least = quantile(measured.get(SIZES[0] ?? 0) ?? [], 0.5);
  for (const [rows, times] of measured) {
    const [half, high] = [quantile(times, 0.5), quantile(times, 0.99)];
    print([rows, times.length, half.toFixed(2), high.toFixed(2), (half / least).toFixed(2)]);
  }
}

async function mint(url: string, apiKey: string): Promise<string> {
  const answer = await post(`${url}/api/v1/agent_tokens`, apiKey, { agent: { handle: "worker" } });
  // Documented in openapi.json.
  const { token } = (await answer.json()) as { token: string };
  return token;
}

/** @returns the milliseconds of each claim. */
async function claimMany(url: string, bearer: string, count: number): Promise<number[]> {
  const times: number[] = [];
  async function work(): Promise<void> {
    for (let made = 0; made < count / WORKERS; made++) {
      const started = performance.now();
      const { status } = await post(`${url}/api/v1/tasks/claim`, bearer, { queues: ["billing"] });
      if (status !== 200) throw new Error(`a claim returned ${status}`);
      times.push(performance.now() - started);
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work));
  return times;
}

async function post(address: string, bearer: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function print(cells: (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
