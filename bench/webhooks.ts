import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { createWebhookEndpoint } from "../src/auth/webhooks/create-webhook-endpoint.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { type Ctx, openCtx, systemCaller } from "../src/domain/kernel/context.ts";
import { append } from "../src/domain/kernel/events.ts";
import { LIMITS } from "../src/domain/kernel/limits.ts";
import { type OpenServices, openServices } from "../src/services.ts";
import { startSubject } from "./processes.ts";

const WORKSPACES = 10;
const ENDPOINTS = WORKSPACES * LIMITS.webhookEndpoints;
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 15);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** Of all workspaces together. Each goes to all endpoints of one. */
const EVENTS_PER_SECOND = 2;
const SETTLE_MS = 30_000;

/** How long events take from their transaction to each of 1,000 receivers, while none of them hangs and while one does. */
export async function webhooksBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const environment = {
    DATABASE_URL: embedded.url,
    OUTBOUND_ALLOW: "127.0.0.0/8",
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const receivers = await startReceivers();
  const services = await openServices(readConfig(environment), log);
  const workspaces = await addEndpoints(services, receivers.url);
  const ours = await startSubject("Agent Ops", ["dist/src/main.js"], {
    ...environment,
    ...{ NODE_ENV: "production", PORT: "0", DEMO: "0" },
  });
  try {
    const [calm, hanging]: [number[], number[]] = [[], []];
    await measure({ receivers, workspaces, hangs: false });
    for (let round = 0; round < ROUNDS; round++) {
      calm.push(...(await measure({ receivers, workspaces, hangs: false })));
      hanging.push(...(await measure({ receivers, workspaces, hangs: true })));
    }
    report(calm, hanging);
  } finally {
    await ours.stop();
    await services.close();
    receivers.close();
    await embedded.stop();
  }
}

/** The receivers of all endpoints. The first one hangs if it is told to. */
type Receivers = {
  url: string;
  /** Notes when an event arrives, by its id and the path. */
  arrived: (id: string, path: string) => void;
  hangs: boolean;
  close: () => void;
};

const HANGING = "/0/0";

async function startReceivers(): Promise<Receivers> {
  const receivers: Receivers = { url: "", arrived: () => {}, hangs: false, close };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server listening on a TCP port has an AddressInfo.
  receivers.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receivers;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "" } = request;
    // The body is what our own server wrote.
    const { subject } = (await json(request)) as { subject: string };
    if (url === HANGING && receivers.hangs) return;
    receivers.arrived(subject, url);
    response.writeHead(204).end();
  }
  function close(): void {
    server.closeAllConnections();
    server.close();
  }
}

async function addEndpoints(services: OpenServices, url: string): Promise<Ctx[]> {
  const workspaces: Ctx[] = [];
  for (let at = 0; at < WORKSPACES; at++) {
    const { workspaceId } = await createWorkspace(services, { name: `Webhooks ${at}`, policies: [] });
    const ctx = openCtx(services, systemCaller(workspaceId, "bench"));
    for (let nth = 0; nth < LIMITS.webhookEndpoints; nth++) {
      await createWebhookEndpoint(ctx, { url: `${url}/${at}/${nth}`, eventTypes: ["probe.*"] });
    }
    workspaces.push(ctx);
  }
  return workspaces;
}

type Measured = { receivers: Receivers; workspaces: readonly Ctx[]; hangs: boolean };

/** Writes events at a steady pace. @returns the milliseconds until each arrived, but at the endpoint that hangs. */
async function measure({ receivers, workspaces, hangs }: Measured): Promise<number[]> {
  const written = new Map<string, number>();
  const tookMs: number[] = [];
  const count = SECONDS * EVENTS_PER_SECOND;
  receivers.hangs = hangs;
  receivers.arrived = (subject, path) => {
    const writtenMs = written.get(subject);
    if (writtenMs !== undefined && path !== HANGING) tookMs.push(performance.now() - writtenMs);
  };
  const startedMs = performance.now();
  for (let nth = 0; nth < count; nth++) {
    await sleep(Math.max(0, startedMs + (nth * 1000) / EVENTS_PER_SECOND - performance.now()));
    const ctx = workspaces[nth % workspaces.length];
    if (ctx !== undefined) await writeEvent(ctx, written);
  }
  const ofFirst = Math.ceil(count / workspaces.length);
  const expected = count * LIMITS.webhookEndpoints - ofFirst;
  const untilMs = performance.now() + SETTLE_MS;
  while (tookMs.length < expected) {
    if (performance.now() > untilMs) throw new Error(`${expected - tookMs.length} deliveries are missing`);
    await sleep(50);
  }
  return tookMs;
}

async function writeEvent(ctx: Ctx, written: Map<string, number>): Promise<void> {
  const subjectId = randomUUID();
  written.set(subjectId, performance.now());
  await ctx.transaction(async (tx) => {
    append(tx, { events: [{ type: "probe.moved", subjectType: "agent", subjectId }] });
  });
}

function report(calm: number[], hanging: number[]): void {
  process.stdout.write(`${ENDPOINTS} endpoints | deliveries | p50 ms | p99 ms\n`);
  for (const [name, values] of [["none hangs", calm] as const, ["one hangs", hanging] as const]) {
    const shown = [0.5, 0.99].map((part) => quantile(values, part).toFixed(0));
    process.stdout.write(`${[name, values.length, ...shown].join(" | ")}\n`);
  }
  const ratio = quantile(hanging, 0.99) / quantile(calm, 0.99);
  process.stdout.write(`p99 while one hangs / while none does: ${ratio.toFixed(2)} (target: <= 1.1)\n`);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
}
