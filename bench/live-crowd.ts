import { setTimeout as pause } from "node:timers/promises";
import type { Report } from "./live-listener.ts";
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

const CONNECTIONS = Number(process.env["BENCH_CONNECTIONS"] ?? 10_000);
const EVENTS = { alone: 5, meanwhile: 5, everyMs: 1000 };
/** The server needs time to notice that its sockets are gone. */
const GONE_MS = 3000;

/** Makes a process collect garbage on SIGUSR2. */
const COLLECTS = ["--expose-gc", "--import", "data:text/javascript,process.on('SIGUSR2',()=>{gc();gc()})"];
const COLLECTING_MS = 2000;

/** Many connections on one node: memory of each, one event to all, and reconnecting all at once. */
export async function crowdBench(ours: Ours): Promise<void> {
  const node = await startSubject("Agent Ops", [...COLLECTS, "dist/src/main.js"], getEnvironment(ours));
  const listener = startListener();
  try {
    const tokens = await mintTokens(node.url, ours.apiKey, CONNECTIONS);
    await measureMemory(listener, node, tokens);
    await measureEvents(listener, ours);
    await measureReturn(listener, { node, tokens, ours });
  } finally {
    listener.stop();
    await node.stop();
  }
}

async function measureMemory(
  { ask }: ListenerProcess,
  node: MeasuredProcess,
  tokens: readonly string[],
): Promise<void> {
  const empty = await collectedKb(node);
  const opened = await connect({ ask }, node, (index) => [createInitMessage(tokens, index)]);
  const idle = await collectedKb(node);
  await ask({ do: "send", text: subscribeText(), answers: CONNECTIONS });
  const subscribed = await collectedKb(node);
  const [idleKb, subscribedKb] = [idle, subscribed].map((kb) => ((kb - empty) / CONNECTIONS).toFixed(1));
  process.stdout.write(
    `${CONNECTIONS} connections on a node, opened in ${seconds(opened)}: kB idle ${idleKb} (target 10), ` +
      `subscribed ${subscribedKb} (target 16), ${Math.round(subscribed / 1024)} MB in all\n`,
  );
}

/** A process's memory after garbage collection. */
async function collectedKb({ pid }: MeasuredProcess): Promise<number> {
  process.kill(pid, "SIGUSR2");
  await pause(COLLECTING_MS);
  return rssKb(pid);
}

async function measureEvents({ ask }: ListenerProcess, ours: Ours): Promise<void> {
  const coming = ask({ do: "expect", frames: EVENTS.alone * CONNECTIONS });
  for (let event = 0; event < EVENTS.alone; event++) {
    await appendEvents(ours, 1);
    await notifyAt(ours);
    await pause(EVENTS.everyMs);
  }
  const { latencies } = await coming;
  const [p50, p99] = [0.5, 0.99].map((share) => at(latencies, share).toFixed(0));
  process.stdout.write(`one event to ${CONNECTIONS}: p50 ${p50} ms, p99 ${p99} ms\n`);
}

type Return = { node: MeasuredProcess; tokens: readonly string[]; ours: Ours };

/** Drops all sockets at once, writes events, and waits until all have reconnected and received them. */
async function measureReturn({ ask }: ListenerProcess, { node, tokens, ours }: Return): Promise<void> {
  const answer = await fetch(`${node.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${ours.apiKey}` },
  });
  // The route returns a page of events.
  const { next_after: cursor } = (await answer.json()) as { next_after: string };
  await ask({ do: "drop" });
  await appendEvents(ours, EVENTS.meanwhile);
  await notifyAt(ours);
  await pause(GONE_MS);
  const before = cpuMs(node.pid);
  const opened = await connect({ ask }, node, (index) => [
    createInitMessage(tokens, index),
    subscribeText(cursor),
  ]);
  const whole = await ask({ do: "expect", frames: EVENTS.meanwhile * CONNECTIONS });
  const tookMs = opened.tookMs + whole.tookMs;
  const eachMs = (cpuMs(node.pid) - before) / CONNECTIONS;
  process.stdout.write(
    `${CONNECTIONS} reconnected and caught up in ${seconds({ tookMs })} (target 20 s), ` +
      `CPU ${eachMs.toFixed(2)} ms each\n`,
  );
}

function connect(
  { ask }: Pick<ListenerProcess, "ask">,
  { url }: MeasuredProcess,
  say: (index: number) => string[],
): Promise<Report> {
  const first = Array.from({ length: CONNECTIONS }, (_, index) => say(index));
  return ask({ do: "connect", url, path: "/graphql", protocol: "graphql-transport-ws", first });
}

function seconds({ tookMs }: { tookMs: number }): string {
  return `${(tookMs / 1000).toFixed(1)} s`;
}
