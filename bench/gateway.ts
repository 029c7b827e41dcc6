import { readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { call } from "./call.ts";
import { measureApprovals } from "./gateway-approvals.ts";
import {
  type BudgetSeed,
  type GatewaySeed,
  REFUND,
  seedApprovals,
  seedBudgets,
  seedPolicies,
} from "./gateway-seed.ts";
import { type LoadResult, type Request, measure, measureInTurn } from "./measure.ts";
import { type Latencies, measureLatency } from "./measure-latency.ts";
import { type MeasuredProcess, startSubject } from "./processes.ts";
import { type CallersResult, measureReservations } from "./reservations.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const BATCH = 50;
const HEADER = [
  "what",
  "policies",
  "ratio",
  "target",
  "per second",
  "Node ms",
  "PostgreSQL ms",
  "p50 ms",
  "p99 ms",
];

type Nodes = { first: MeasuredProcess; second: MeasuredProcess; postmaster: number };

/** Checks compared with a bare authenticated request, and reservations with rows that are locked one by one. */
export async function gatewayBench(): Promise<void> {
  const embedded = await startTemporary(pino({ level: "warn" }, pino.destination(2)));
  const environment = { DATABASE_URL: embedded.url, NODE_ENV: "production" };
  const ours = { ...environment, PORT: "0", RATE_LIMIT: "0", DEMO: "0" };
  const subjects: MeasuredProcess[] = [];
  async function start(name: string, command: string[], variables: Record<string, string>) {
    const subject = await startSubject(name, command, variables);
    subjects.push(subject);
    return subject;
  }
  try {
    const seeded = await seedPolicies(embedded.url);
    const budgets = await seedBudgets(embedded.url);
    const approvals = await seedApprovals(embedded.url);
    const state = path.join(embedded.directory, "cluster", "data", "postmaster.pid");
    const nodes = {
      first: await start("Agent Ops", ["dist/src/main.js"], ours),
      second: await start("Agent Ops, second node", ["dist/src/main.js"], ours),
      postmaster: Number(readFileSync(state, "utf8").split("\n")[0]),
    };
    print(HEADER);
    await compareChecks(nodes, seeded);
    await compareReservations(embedded.url, budgets);
    await measureApprovals([nodes.first, nodes.second], approvals);
  } finally {
    for (const subject of subjects) await subject.stop();
    await embedded.stop();
  }
}

/** The token of an agent. */
async function mintToken({ url }: MeasuredProcess, apiKey: string): Promise<string> {
  const minted = await call(`${url}/api/v1/agent_tokens`, {
    bearer: apiKey,
    body: { agent: { handle: "billing-7" } },
  });
  return (minted as { token: string }).token;
}

async function compareChecks({ first, postmaster }: Nodes, seeded: readonly GatewaySeed[]): Promise<void> {
  let fewest: Latencies | null = null;
  for (const { policies, apiKey } of seeded) {
    const headers = { authorization: `Bearer ${await mintToken(first, apiKey)}` };
    const options = { seconds: SECONDS, postmaster };
    const check: Request = { path: "/api/v1/gateway/check", headers, body: { request: REFUND } };
    const { whoami, full, batch } = await measureInTurn(ROUNDS, {
      whoami: () => measure(first, { path: "/api/v1/whoami", headers }, options),
      full: () => measure(first, check, options),
      batch: () => measure(first, buildBatch(headers), options),
    });
    const load = { seconds: SECONDS, perSecond: full.perSecond / 2 };
    // Before and after, so that what else the machine does is in both.
    const before = await measureLatency(first, { path: "/api/v1/whoami", headers }, load);
    const half = await measureLatency(first, check, load);
    const after = await measureLatency(first, { path: "/api/v1/whoami", headers }, load);
    fewest ??= half;
    print(["whoami", policies, "", "", ...listFigures(whoami)]);
    print([
      "check: CPU of whoami",
      policies,
      ratio(full.nodeMs, whoami.nodeMs),
      "<= 1.5",
      ...listFigures(full),
    ]);
    print([
      "check at half load: p50 of fewest",
      policies,
      ratio(half.p50Ms, fewest.p50Ms),
      "<= 1.1",
      ...[Math.round(full.perSecond / 2), "", "", half.p50Ms.toFixed(1), half.p99Ms.toFixed(1)],
    ]);
    print([
      "check at half load: p99 of whoami",
      policies,
      ratio(half.p99Ms, (before.p99Ms + after.p99Ms) / 2),
      "<= 1.5",
      ...["", "", "", "", half.p99Ms.toFixed(1)],
    ]);
    print([
      "batch of 50: CPU of a check",
      policies,
      ratio(batch.nodeMs, full.nodeMs),
      "<= 10",
      ...listFigures(batch),
    ]);
  }
}

function buildBatch(headers: Record<string, string>): Request {
  const subject = { type: "agent", id: "billing-7" };
  const evaluations = Array.from({ length: BATCH }, () => REFUND);
  return { path: "/access/v1/evaluations", headers, body: { subject, evaluations } };
}

async function compareReservations(databaseUrl: string, budgets: BudgetSeed): Promise<void> {
  const options = { ...budgets, databaseUrl, seconds: SECONDS };
  const { combined, rows } = await measureInTurn(ROUNDS, {
    combined: () => measureReservations({ ...options, way: "combined" }),
    rows: () => measureReservations({ ...options, way: "rows" }),
  });
  print([
    ...["reservations on two nodes, without HTTP", ""],
    ...[ratio(combined.perSecond, rows.perSecond), ">= 5", ...listReservationFigures(combined)],
  ]);
  print(["reservations with rows locked one by one", "", "", "", ...listReservationFigures(rows)]);
}

function listReservationFigures({ perSecond, nodeMs, p99Ms }: CallersResult): (string | number)[] {
  return [Math.round(perSecond), nodeMs.toFixed(2), "", "", p99Ms.toFixed(0)];
}

function listFigures({ perSecond, nodeMs, postgresMs, p50Ms, p99Ms }: LoadResult): (string | number)[] {
  return [Math.round(perSecond), nodeMs.toFixed(2), postgresMs.toFixed(2), p50Ms, p99Ms];
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2);
}

function print(cells: (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
