import { setTimeout as pause } from "node:timers/promises";
import {
  type ListenerProcess,
  type Ours,
  appendEvents,
  at,
  getEnvironment,
  notifyAt,
  createInitMessage,
  mintTokens,
  startListener,
  subscribeText,
} from "./live-parts.ts";
import { type MeasuredProcess, startSubject } from "./processes.ts";

const NODES = 3;
const SOCKETS_PER_NODE = 10;
const EVENTS = { perSecond: 200, seconds: 8 };
const TARGETS_MS = { notified: { p50: 5, p99: 25 }, polled: { p99: 400 } };

/** The time from the start of an event's transaction to its arrival at a socket, on any of three nodes. */
export async function nodesBench(ours: Ours): Promise<void> {
  const nodes = await Promise.all(
    Array.from({ length: NODES }, () =>
      startSubject("Agent Ops", ["dist/src/main.js"], getEnvironment(ours)),
    ),
  );
  const listener = startListener();
  try {
    for (const node of nodes) await connect(listener, node, ours);
    // Warm-up.
    await measure(listener, ours, { notified: true });
    const { p50, p99 } = TARGETS_MS.notified;
    const notified = await measure(listener, ours, { notified: true });
    process.stdout.write(
      `append to socket, ${NODES} nodes: ${formatLatencies(notified)} (targets ${p50}, ${p99})\n`,
    );
    const polled = await measure(listener, ours, { notified: false });
    process.stdout.write(
      `the same without notifications between nodes: ${formatLatencies(polled)} (target ${TARGETS_MS.polled.p99})\n`,
    );
  } finally {
    listener.stop();
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

async function connect(listener: ListenerProcess, { url }: MeasuredProcess, { apiKey }: Ours): Promise<void> {
  const tokens = await mintTokens(url, apiKey, SOCKETS_PER_NODE);
  const first = Array.from({ length: SOCKETS_PER_NODE }, (_, index) => [
    createInitMessage(tokens, index),
    subscribeText(),
  ]);
  await listener.ask({ do: "connect", url, path: "/graphql", protocol: "graphql-transport-ws", first });
}

/** Writes events at a steady rate. @returns their latencies in milliseconds. */
async function measure(
  { ask }: ListenerProcess,
  ours: Ours,
  { notified }: { notified: boolean },
): Promise<readonly number[]> {
  const count = EVENTS.perSecond * EVENTS.seconds;
  const coming = ask({ do: "expect", frames: count * NODES * SOCKETS_PER_NODE });
  const started = performance.now();
  const writing: Promise<void>[] = [];
  for (let event = 0; event < count; event++) {
    await pause(Math.max(0, started + (event * 1000) / EVENTS.perSecond - performance.now()));
    writing.push(write(ours, notified));
  }
  await Promise.all(writing);
  return (await coming).latencies;
}

async function write(ours: Ours, notified: boolean): Promise<void> {
  await appendEvents(ours, 1);
  if (notified) await notifyAt(ours);
}

function formatLatencies(latencies: readonly number[]): string {
  return `p50 ${at(latencies, 0.5).toFixed(1)} ms, p99 ${at(latencies, 0.99).toFixed(1)} ms`;
}
