import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { openServices } from "../src/services.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { crowdBench } from "./live-crowd.ts";
import type { Report } from "./live-listener.ts";
import { nodesBench } from "./live-nodes.ts";
import {
  type ListenerProcess,
  type Ours,
  appendEvents,
  at,
  getEnvironment,
  notifyAt,
  createInitMessage,
  mintTokens,
  rssKb,
  startListener,
  subscribeText,
} from "./live-parts.ts";
import { type MeasuredProcess, cpuMs, startSubject } from "./processes.ts";

const SIZES = (process.env["BENCH_SUBSCRIBERS"] ?? "1000,5000").split(",").map(Number);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** Events at a steady rate: the number of deliveries per second is the same for any number of subscribers. */
const PACED = { deliveriesPerSecond: 10_000, seconds: 4 };
/** Events in a burst: total number of deliveries. */
const BURST_DELIVERIES = 200_000;
/** The parts to run. */
const PARTS = (process.env["BENCH_PARTS"] ?? "fan-out,nodes,crowd").split(",");

/** A measured server, how to open sockets, and how to send an event. */
type Case = {
  subject: MeasuredProcess;
  path: string;
  protocol: string | null;
  /** The messages each socket sends, one after the other. */
  first: (index: number) => string[];
  /** The message to subscribe, if that is a separate step. */
  subscribe: string | null;
  publish: (count: number) => Promise<void>;
};

type Result = { pacedUs: number; p50Ms: number; p99Ms: number; burstPerSecond: number; burstUs: number };
type Memory = { idleKb: number; subscribedKb: number };
type Measured = Result & { name: string; memory: Memory };

/**
 * One event to many subscribers, compared with a bare ws broadcast and a Socket.IO room; latency from commit to
 * sockets on three nodes; and thousands of connections on one node.
 */
export async function liveBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const services = await openServices(readConfig({ DATABASE_URL: embedded.url }), log);
  const { workspaceId, apiKey } = await createWorkspace(services, { name: "Live" });
  await services.close();
  const pool = new pg.Pool({ connectionString: embedded.url, max: 4 });
  const ours = { workspaceId, apiKey, pool, databaseUrl: embedded.url };
  try {
    if (PARTS.includes("fan-out")) await fanOutBench(ours);
    if (PARTS.includes("nodes")) await nodesBench(ours);
    if (PARTS.includes("crowd")) await crowdBench(ours);
  } finally {
    await pool.end();
    await embedded.stop();
  }
}

async function fanOutBench(ours: Ours): Promise<void> {
  process.stdout.write(
    "server subscribers | paced: CPU us a delivery, p50 ms, p99 ms | burst: deliveries/s, CPU us | kB idle, subscribed\n",
  );
  for (const subscribers of SIZES) {
    const results: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) results.push(...(await measureRound(ours, subscribers)));
    compare(subscribers, results);
  }
}

/** Measures each server once, one after the other. */
async function measureRound(ours: Ours, subscribers: number): Promise<Measured[]> {
  const environment = getEnvironment(ours);
  const makers = [
    async () => peerCase(await startSubject("ws", peer("ws-broadcast"), {}), "/", null),
    async () => peerCase(await startSubject("Socket.IO", peer("socket-io"), {}), SOCKET_IO, "40"),
    async () =>
      ourCase(await startSubject("Agent Ops", ["dist/src/main.js"], environment), ours, subscribers),
  ];
  const measured: Measured[] = [];
  for (const make of makers) {
    const one = await make();
    const result = { name: one.subject.name, ...(await measureCase(one, subscribers)) };
    print(subscribers, result);
    measured.push(result);
    await one.subject.stop();
  }
  return measured;
}

function peer(name: string): string[] {
  return ["--import", "tsx", `bench/peers/${name}.ts`];
}

const SOCKET_IO = "/socket.io/?EIO=4&transport=websocket";

function peerCase(subject: MeasuredProcess, path: string, first: string | null): Case {
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

async function ourCase(subject: MeasuredProcess, ours: Ours, subscribers: number): Promise<Case> {
  const tokens = await mintTokens(subject.url, ours.apiKey, subscribers);
  return {
    subject,
    path: "/graphql",
    protocol: "graphql-transport-ws",
    first: (index) => [createInitMessage(tokens, index)],
    subscribe: subscribeText(),
    publish: async (count) => {
      await appendEvents(ours, count);
      await notifyAt(ours);
    },
  };
}

/** An event as long as ours. */
function eventText(seq: number): string {
  const event = {
    __typename: "Event",
    cursor: "djEuNWQ2YzFmM2UtM2E0Zi00ZjBjLTlhN2QtMGMyYjFlNGY2YTExLjQxMg",
    seq,
    id: "01a1fc84-37fd-7da2-8c5b-1f2a7c0e9b11",
    type: "task.updated",
    subjectUuid: "01a1fc84-37fd-73ac-a77e-af2416d62901",
    occurredAt: "2026-11-21T05:11:25.953Z",
    data: { at: performance.timeOrigin + performance.now(), status: "working" },
  };
  return JSON.stringify({ id: "0199f0c2-7d5a-7cc1", type: "next", payload: { data: { events: event } } });
}

async function measureCase(one: Case, subscribers: number): Promise<Result & { memory: Memory }> {
  const { ask, stop } = startListener();
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
    stop();
  }
}

type Ask = ListenerProcess["ask"];

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
