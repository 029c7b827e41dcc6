import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { type OpenServices, openServices } from "../src/services.ts";
import { REFUND } from "./gateway-seed.ts";
import { measureLatency } from "./measure-latency.ts";
import { measure, measureInTurn } from "./measure.ts";
import { insertSpanRows } from "./peers/span-rows.ts";
import { type MeasuredProcess, cpuMs, postgresCpuMs, startSubject } from "./processes.ts";
import { sendBodies } from "./send-bodies.ts";
import { CONTENT_TYPES, type Encoding, SPANS, createBody, createTraceBody } from "./span-bodies.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** Requests of one run. */
const REQUESTS = Number(process.env["BENCH_REQUESTS"] ?? 30);
const SIZES = [1000, 10_000, 1_000_000];
const TRACE_REQUESTS = 20;
const CHECKS_PER_SECOND = 200;

type Subject = { ours: MeasuredProcess; databaseUrl: string; postmaster: number };

/** Traces taken in compared with plain rows, the waterfall of 10,000 spans, lists of many traces, and checks meanwhile. */
export async function tracesBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const environment = { DATABASE_URL: embedded.url, NODE_ENV: "production" };
  const services = await openServices(readConfig({ DATABASE_URL: embedded.url }), log);
  const seeded = await seedTraces(services);
  const { apiKey } = await createWorkspace(services, { name: "Spans", policies: [] });
  await services.close();
  const ours = await startSubject("Agent Ops", ["dist/src/main.js"], {
    ...environment,
    PORT: "0",
    RATE_LIMIT: "0",
    DEMO: "0",
  });
  try {
    const state = path.join(embedded.directory, "cluster", "data", "postmaster.pid");
    const postmaster = Number(readFileSync(state, "utf8").split("\n")[0]);
    const subject = { ours, databaseUrl: embedded.url, postmaster };
    const perSecond = await compareIngest(subject, apiKey);
    await measureTrace(subject, apiKey);
    await measureLists(subject, seeded);
    await measureChecks(subject, apiKey, perSecond / 2);
  } finally {
    await ours.stop();
    await embedded.stop();
  }
}

/** @returns requests in protobuf per second over one connection. */
async function compareIngest(subject: Subject, apiKey: string): Promise<number> {
  print(["spans", "connections", "ratio", "target", "spans/s", "Node µs/span", "PostgreSQL µs/span"]);
  let perSecond = NaN;
  // The peer's rows are those of this.
  await takeIn(subject, apiKey, { encoding: "protobuf", connections: 1 });
  for (const connections of [1, 4]) {
    const runs = await measureInTurn(ROUNDS, {
      protobuf: () => takeIn(subject, apiKey, { encoding: "protobuf", connections }),
      json: () => takeIn(subject, apiKey, { encoding: "json", connections }),
      rows: () => insertRows(subject, connections),
    });
    for (const encoding of ["protobuf", "json"] as const) {
      const run = runs[encoding];
      const ratio = (run.perSecond / runs.rows.perSecond).toFixed(2);
      print([encoding, connections, ratio, ">= 0.4", ...listFigures(run)]);
    }
    print(["plain rows", connections, "", "", ...listFigures(runs.rows)]);
    if (connections === 1) perSecond = runs.protobuf.perSecond / SPANS;
  }
  return perSecond;
}

/** Spans per second, and CPU milliseconds of one. */
type Ingest = { perSecond: number; nodeMs: number; postgresMs: number };

type Sending = { encoding: Encoding; connections: number };

async function takeIn(
  { ours, postmaster }: Subject,
  apiKey: string,
  { encoding, connections }: Sending,
): Promise<Ingest> {
  const bodies = Array.from({ length: REQUESTS }, () => createBody(encoding));
  const before = { node: cpuMs(ours.pid), postgres: postgresCpuMs(postmaster) };
  const startedMs = performance.now();
  await sendBodies(`${ours.url}/v1/traces`, bodies, { apiKey, type: CONTENT_TYPES[encoding], connections });
  const spans = REQUESTS * SPANS;
  return {
    perSecond: spans / ((performance.now() - startedMs) / 1000),
    nodeMs: (cpuMs(ours.pid) - before.node) / spans,
    postgresMs: (postgresCpuMs(postmaster) - before.postgres) / spans,
  };
}

async function insertRows({ databaseUrl, postmaster }: Subject, connections: number): Promise<Ingest> {
  const before = postgresCpuMs(postmaster);
  const options = { connectionString: databaseUrl, batches: REQUESTS, size: SPANS, connections };
  const inserted = await insertSpanRows(options);
  return { ...inserted, postgresMs: (postgresCpuMs(postmaster) - before) / (REQUESTS * SPANS) };
}

/** What the waterfall of a trace of 10,000 spans reads. */
async function measureTrace({ ours, postmaster }: Subject, apiKey: string): Promise<void> {
  const [traceId, rootId] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  const bodies = Array.from({ length: TRACE_REQUESTS }, (_, at) =>
    createTraceBody(traceId, rootId, at === 0),
  );
  const sending = { apiKey, type: CONTENT_TYPES.json, connections: 1 };
  await sendBodies(`${ours.url}/v1/traces`, bodies, sending);
  const query = `query ($id: String!) { trace(traceId: $id) { spanCount skeleton(first: 20000) } }`;
  const headers = { authorization: `Bearer ${apiKey}` };
  const request = { path: "/graphql", headers, body: { query, variables: { id: traceId } } };
  const read = await measure(ours, request, { seconds: SECONDS, postmaster, connections: 1 });
  print(["waterfall of 10,000 spans: p50 ms", 1, read.p50Ms, "<= 300"]);
}

type Seeded = { rows: number; apiKey: string };

async function measureLists({ ours, postmaster }: Subject, seeded: readonly Seeded[]): Promise<void> {
  const options = { seconds: SECONDS, postmaster, connections: 1 };
  let fewest = NaN;
  for (const { rows, apiKey } of seeded) {
    const headers = { authorization: `Bearer ${apiKey}` };
    for (const query of ["limit=50", "limit=50&status=error"]) {
      const request = { path: `/api/v1/operator/traces?${query}`, headers };
      const { list } = await measureInTurn(ROUNDS, { list: () => measure(ours, request, options) });
      const costMs = list.nodeMs + list.postgresMs;
      if (rows === SIZES[0] && query === "limit=50") fewest = costMs;
      const ratio = (costMs / fewest).toFixed(2);
      print([`${query} of ${rows} traces: CPU of fewest`, 1, ratio, "<= 1.5", `p50 ${list.p50Ms} ms`]);
    }
  }
}

/** Checks at a steady pace, alone and while spans come at half of what one connection can send. */
async function measureChecks({ ours }: Subject, apiKey: string, requestsPerSecond: number): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const check = { path: "/api/v1/gateway/check", headers, body: { request: REFUND } };
  const pace = { seconds: SECONDS, perSecond: CHECKS_PER_SECOND };
  const count = Math.max(1, Math.round(requestsPerSecond * SECONDS));
  const bodies = Array.from({ length: count }, () => createBody("protobuf"));
  const sending = { apiKey, type: CONTENT_TYPES.protobuf, connections: 1, perSecond: requestsPerSecond };
  // Until what runs for a check is compiled.
  await measureLatency(ours, check, pace);
  const alone = await measureLatency(ours, check, pace);
  const [meanwhile] = await Promise.all([
    measureLatency(ours, check, pace),
    sendBodies(`${ours.url}/v1/traces`, bodies, sending),
  ]);
  for (const [words, { p50Ms, p99Ms }] of [
    ["alone", alone],
    ["while spans come", meanwhile],
  ] as const) {
    const label = `${CHECKS_PER_SECOND} checks/s ${words}: p99 ms`;
    print([label, "", p99Ms.toFixed(1), "<= 10", `p50 ${p50Ms.toFixed(1)} ms`]);
  }
}

/** Workspaces with this many traces of the last 30 days. */
async function seedTraces(services: OpenServices): Promise<Seeded[]> {
  const seeded: Seeded[] = [];
  const { prisma } = services.database;
  for (const rows of SIZES) {
    const { workspaceId, apiKey } = await createWorkspace(services, { name: `${rows} traces`, policies: [] });
    for (let from = 1; from <= rows; from += SEEDED) {
      await prisma.$executeRawUnsafe(TRACES, workspaceId, from, Math.min(from + SEEDED - 1, rows), rows);
    }
    seeded.push({ rows, apiKey });
  }
  await prisma.$executeRawUnsafe("VACUUM ANALYZE trace");
  return seeded;
}

/** Rows per statement: few enough for the server's time limit. */
const SEEDED = 10_000;

/** One in fifty failed. */
const TRACES = `
INSERT INTO trace (workspace_id, id, day, agent_id, status, span_count, work_count, plumbing, root_name, started_at,
  ended_at, created_at, updated_at)
SELECT $1::uuid, gen_random_uuid(), (now() - n * step)::date, a.id,
  CASE WHEN n % 50 = 0 THEN 'error' ELSE 'ok' END::trace_status, 25, 25, false, 'invoke_agent billing',
  now() - n * step, now() - n * step, now() - n * step, now() - n * step
FROM generate_series($2::int, $3::int) n,
  (SELECT id, interval '30 days' / $4::int AS step FROM agent WHERE workspace_id = $1::uuid LIMIT 1) a`;

function listFigures({ perSecond, nodeMs, postgresMs }: Ingest): (string | number)[] {
  return [Math.round(perSecond), (nodeMs * 1000).toFixed(0), (postgresMs * 1000).toFixed(0)];
}

function print(cells: (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
