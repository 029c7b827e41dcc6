import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { openServices } from "../src/app.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import type { Order, Report } from "./live-listener.ts";
import { type Subject, cpuMs, startSubject } from "./processes.ts";

const SIZES = (process.env["BENCH_SUBSCRIBERS"] ?? "1000,5000").split(",").map(Number);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** Events of the even load: so many deliveries a second, whatever the number of subscribers. */
const PACED = { deliveriesPerSecond: 10_000, seconds: 4 };
/** Events at once: so many deliveries in all. */
const BURST_DELIVERIES = 200_000;
const SOCKETS_PER_TOKEN = 90;

/** A server under measurement, how sockets open on it, and how an event reaches them. */
type Case = {
  subject: Subject;
  path: string;
  protocol: string | null;
  /** What each socket sends, one after the other. */
  first: (index: number) => string[];
  /** Said by each socket to subscribe, where that is a step of its own. */
  subscribe: string | null;
  publish: (count: number) => Promise<void>;
};

type Result = { pacedUs: number; p50Ms: number; p99Ms: number; burstPerSecond: number; burstUs: number };
type Memory = { idleKb: number; subscribedKb: number };
type Measured = Result & { name: string; memory: Memory };

/** One event to many subscribers, beside a bare broadcast over ws and a room of Socket.IO. */
export async function liveBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const services = await openServices(readConfig({ DATABASE_URL: embedded.url }), log);
  const { workspaceId, apiKey } = await createWorkspace(services, { name: "Live" });
  await services.close();
  const pool = new pg.Pool({ connectionString: embedded.url, max: 2 });
  process.stdout.write(
    "server subscribers | paced: CPU us a delivery, p50 ms, p99 ms | burst: deliveries/s, CPU us | kB idle, subscribed\n",
  );
  try {
    for (const subscribers of SIZES) {
      const results: Measured[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        results.push(...(await measureRound({ workspaceId, apiKey, pool, subscribers }, embedded.url)));
      }
      compare(subscribers, results);
    }
  } finally {
    await pool.end();
    await embedded.stop();
  }
}

/** Measures each server once, one after the other. */
async function measureRound(ours: Ours, databaseUrl: string): Promise<Measured[]> {
  const environment = { DATABASE_URL: databaseUrl, PORT: "0", RATE_LIMIT: "0", DEMO: "0", LOG_LEVEL: "warn" };
  const makers = [
    async () => peerCase(await startSubject("ws", peer("ws-broadcast"), {}), "/", null),
    async () => peerCase(await startSubject("Socket.IO", peer("socket-io"), {}), SOCKET_IO, "40"),
    async () => ourCase(await startSubject("Agent Ops", ["dist/src/main.js"], environment), ours),
  ];
  const measured: Measured[] = [];
  for (const make of makers) {
    const one = await make();
    const result = { name: one.subject.name, ...(await measureCase(one, ours.subscribers)) };
    print(ours.subscribers, result);
    measured.push(result);
    await one.subject.stop();
  }
  return measured;
}

function peer(name: string): string[] {
  return ["--import", "tsx", `bench/peers/${name}.ts`];
}

const SOCKET_IO = "/socket.io/?EIO=4&transport=websocket";

function peerCase(subject: Subject, path: string, first: string | null): Case {
  return {
    subject,
    path,
    protocol: null,
    first: () => (first === null ? [] : [first]),
    subscribe: null,
    publish: async (count) => {
      const events = Array.from({ length: count }, (_, seq) => eventText(seq));
      await fetch(subject.url, { method: "POST", body: events.join("\n") });
    },
  };
}

type Ours = { workspaceId: string; apiKey: string; pool: pg.Pool; subscribers: number };

async function ourCase(subject: Subject, { workspaceId, apiKey, pool, subscribers }: Ours): Promise<Case> {
  const tokens: string[] = [];
  for (let made = 0; made * SOCKETS_PER_TOKEN < subscribers; made++) {
    const minted = await post(subject.url, "/api/v1/agent_tokens", apiKey);
    tokens.push((await post(subject.url, "/api/v1/socket_tokens", minted.token)).token);
  }
  return {
    subject,
    path: "/graphql",
    protocol: "graphql-transport-ws",
    first: (index) => {
      const token = tokens[index % tokens.length];
      return [JSON.stringify({ type: "connection_init", payload: { token } })];
    },
    subscribe: JSON.stringify({
      id: "0199f0c2-7d5a-7cc1",
      type: "subscribe",
      payload: { query: SUBSCRIPTION },
    }),
    publish: async (count) => {
      await pool.query(APPEND, [workspaceId, count, performance.timeOrigin + performance.now()]);
      const hint = JSON.stringify({ node: "bench", ids: [workspaceId], revoked: false });
      await pool.query("SELECT pg_notify('agent_ops_live', $1)", [hint]);
    },
  };
}

const SUBSCRIPTION = `subscription { events(types: ["task.*"]) {
  __typename ... on Event { cursor seq id type subjectUuid data occurredAt }
} }`;

const APPEND = `
WITH head AS (UPDATE workspace_head SET seq = seq + $2::int WHERE workspace_id = $1 RETURNING seq - $2::int AS base)
INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
SELECT $1, base + n, gen_random_uuid(), 'task.updated', 'task', gen_random_uuid(),
  '{"type":"system","id":null,"name":"bench"}', jsonb_build_object('at', $3::float8, 'status', 'working'), clock_timestamp()
FROM head, generate_series(1, $2::int) n`;

/** An event as long as ours. */
function eventText(seq: number): string {
  const event = {
    ...{ __typename: "Event", cursor: "djEuNWQ2YzFmM2UtM2E0Zi00ZjBjLTlhN2QtMGMyYjFlNGY2YTExLjQxMg", seq },
    ...{ id: "01a1fc84-37fd-7da2-8c5b-1f2a7c0e9b11", type: "task.updated" },
    ...{ subjectUuid: "01a1fc84-37fd-73ac-a77e-af2416d62901", occurredAt: "2026-11-21T05:11:25.953Z" },
    data: { at: performance.timeOrigin + performance.now(), status: "working" },
  };
  return JSON.stringify({ id: "0199f0c2-7d5a-7cc1", type: "next", payload: { data: { events: event } } });
}

async function post(url: string, path: string, bearer: string): Promise<{ token: string }> {
  const answer = await fetch(url + path, { method: "POST", headers: { authorization: `Bearer ${bearer}` } });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}`);
  // Both routes answer a token.
  return (await answer.json()) as { token: string };
}

async function measureCase(one: Case, subscribers: number): Promise<Result & { memory: Memory }> {
  const listener = fork(fileURLToPath(new URL("live-listener.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
  });
  const failed = once(listener, "exit").then(([code]): never => {
    throw new Error(`the listener ended with ${code}`);
  });
  failed.catch(() => {});
  async function ask(order: Order): Promise<Report> {
    listener.send(order);
    // The listener answers each order with one report.
    const [report] = (await Promise.race([once(listener, "message"), failed])) as [Report];
    return report;
  }
  try {
    const { subject, path, protocol } = one;
    const empty = rssKb(subject.pid);
    const first = Array.from({ length: subscribers }, (_, index) => one.first(index));
    await ask({ do: "connect", url: subject.url, path, protocol, first });
    const idle = rssKb(subject.pid);
    if (one.subscribe !== null) await ask({ do: "send", text: one.subscribe, answers: subscribers });
    const subscribed = rssKb(subject.pid);
    await publishAnd(one, ask, { count: 20, subscribers });
    const paced = await measurePaced(one, ask, subscribers);
    const burst = await measureBurst(one, ask, subscribers);
    const memory = { idleKb: (idle - empty) / subscribers, subscribedKb: (subscribed - empty) / subscribers };
    return { ...paced, ...burst, memory };
  } finally {
    listener.kill();
  }
}

type Ask = (order: Order) => Promise<Report>;

async function publishAnd(
  one: Case,
  ask: Ask,
  { count, subscribers }: { count: number; subscribers: number },
): Promise<Report> {
  const coming = ask({ do: "expect", frames: count * subscribers });
  await one.publish(count);
  return coming;
}

async function measurePaced(
  one: Case,
  ask: Ask,
  subscribers: number,
): Promise<Pick<Result, "pacedUs" | "p50Ms" | "p99Ms">> {
  const everyMs = (1000 * subscribers) / PACED.deliveriesPerSecond;
  const events = Math.round((PACED.seconds * 1000) / everyMs);
  const before = cpuMs(one.subject.pid);
  const coming = ask({ do: "expect", frames: events * subscribers });
  const started = performance.now();
  for (let event = 0; event < events; event++) {
    await pause(Math.max(0, started + event * everyMs - performance.now()));
    await one.publish(1);
  }
  const { latencies } = await coming;
  const used = cpuMs(one.subject.pid) - before;
  return {
    pacedUs: (used * 1000) / (events * subscribers),
    p50Ms: at(latencies, 0.5),
    p99Ms: at(latencies, 0.99),
  };
}

async function measureBurst(
  one: Case,
  ask: Ask,
  subscribers: number,
): Promise<Pick<Result, "burstPerSecond" | "burstUs">> {
  const count = BURST_DELIVERIES / subscribers;
  const before = cpuMs(one.subject.pid);
  const { tookMs } = await publishAnd(one, ask, { count, subscribers });
  const used = cpuMs(one.subject.pid) - before;
  return {
    burstPerSecond: (BURST_DELIVERIES * 1000) / tookMs,
    burstUs: (used * 1000) / BURST_DELIVERIES,
  };
}

function rssKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

function print(subscribers: number, { name, memory, ...result }: Measured): void {
  const { pacedUs, p50Ms, p99Ms, burstPerSecond, burstUs } = result;
  const paced = `${pacedUs.toFixed(1)} ${p50Ms.toFixed(1)} ${p99Ms.toFixed(1)}`;
  const burst = `${Math.round(burstPerSecond)} ${burstUs.toFixed(2)}`;
  const kb = `${memory.idleKb.toFixed(1)} ${memory.subscribedKb.toFixed(1)}`;
  process.stdout.write(`${name} ${subscribers} | ${paced} | ${burst} | ${kb}\n`);
}

/** Medians of the rounds, as ratios to ours. */
function compare(subscribers: number, results: readonly Measured[]): void {
  function median(asked: string, of: keyof Result): number {
    const values = results.filter(({ name }) => name === asked).map((result) => result[of]);
    return at(values, 0.5);
  }
  for (const [name, target] of [
    ["ws", 0.7],
    ["Socket.IO", 1],
  ] as const) {
    const paced = median(name, "pacedUs") / median("Agent Ops", "pacedUs");
    const burst = median("Agent Ops", "burstPerSecond") / median(name, "burstPerSecond");
    process.stdout.write(
      `against ${name}, ${subscribers}: deliveries for the same CPU ${paced.toFixed(2)}, ` +
        `throughput of a burst ${burst.toFixed(2)} (target ${target})\n`,
    );
  }
}

/** The value below which this share of all values lies. */
function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
