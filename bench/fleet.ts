import { setMaxListeners } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { openServices } from "../src/services.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { ApiError } from "../src/client/api-error.ts";
import type { Schemas } from "../src/client/api-types.ts";
import { type Client, createClient } from "../src/client/client.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { type Mishaps, simulateRobot } from "./fleet-robot.ts";
import { startSubject } from "./processes.ts";

const ROBOTS = Number(process.env["BENCH_ROBOTS"] ?? 50);
const PER_SECOND = Number(process.env["BENCH_RATE"] ?? 5);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 60);
const STEP_MS = 1000;
/** Every mission has a deadline, which limits its worst case. */
const DEADLINE_SECONDS = 45;
/** Time for the service to end a mission after its deadline. */
const GRACE_SECONDS = 10;

type Mission = Schemas["Mission"];

/**
 * Runs missions on a simulated fleet against a real server. Robots use the real client and reject, stall, go offline,
 * restart and switch to manual mode at random; an operator pauses, cancels, retries and skips. Fails if a mission
 * hangs, or ends without a reason.
 */
export async function fleetBench(): Promise<void> {
  const embedded = await startTemporary(pino({ level: "warn" }, pino.destination(2)));
  const directory = await mkdtemp(path.join(tmpdir(), "agent-ops-fleet-"));
  const ours = { DATABASE_URL: embedded.url, NODE_ENV: "production", PORT: "0", RATE_LIMIT: "0", DEMO: "0" };
  const apiKey = await seed(embedded.url);
  const server = await startSubject("agent-ops", ["dist/src/main.js"], ours);
  const home = new AbortController();
  // Every request of every robot listens to it.
  setMaxListeners(0, home.signal);
  const mishaps: Mishaps = new Map();
  try {
    const common = {
      url: server.url,
      token: apiKey,
      directory,
      stepMs: STEP_MS,
      mishaps,
      signal: home.signal,
    };
    const fleet = Array.from({ length: ROBOTS }, async (_, index) =>
      simulateRobot({ ...common, handle: `amr-${index}` }),
    );
    const operator = createClient({ url: server.url, token: apiKey });
    await sendOut(operator);
    const missions = await waitUntilEnded(operator);
    home.abort();
    await Promise.allSettled(fleet);
    printResults(missions, mishaps);
  } finally {
    home.abort();
    await server.stop();
    await embedded.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function seed(databaseUrl: string): Promise<string> {
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), pino({ level: "silent" }));
  const { apiKey } = await createWorkspace(services, { name: "Fleet" });
  await services.close();
  return apiKey;
}

/** Creates missions at a fixed rate and supervises them. */
async function sendOut(operator: Client): Promise<void> {
  const begunMs = performance.now();
  for (let index = 0; index < PER_SECOND * SECONDS; index++) {
    const waitMs = begunMs + (index * 1000) / PER_SECOND - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    const body = {
      title: `Errand ${index}`,
      kind: "transport" as const,
      priority: Math.floor(Math.random() * 10),
      deadline_at: new Date(Date.now() + DEADLINE_SECONDS * 1000).toISOString(),
      steps: ["fetch", "lift", "bring", "lower"].map((key) => ({ key, type: "action" as const })),
    };
    await operator.send("POST /operator/missions", { body, idempotencyKey: crypto.randomUUID() });
    if (index % PER_SECOND === 0) await supervise(operator);
  }
}

/** Checks every open mission: retries or skips stuck steps, and pauses, resumes or cancels some missions. */
async function supervise(operator: Client): Promise<void> {
  const { missions } = await operator.send("GET /operator/missions", {});
  await Promise.all(
    missions.filter(isOpen).map(async (mission) => superviseOne(operator, mission).catch(reportUnexpected)),
  );
}

async function superviseOne(operator: Client, { id, status }: Mission): Promise<void> {
  const drawn = Math.random();
  if (status === "paused")
    return void (await operator.send("POST /operator/missions/{id}/resume", { id, body: {} }));
  if (status !== "running") return;
  const { mission } = await operator.send("GET /missions/{id}", { id, query: {} });
  const stuck = mission.steps.find((step) => step.status === "retriable");
  if (stuck !== undefined) {
    const route =
      drawn < 0.5 ? "POST /operator/missions/{id}/retry_step" : "POST /operator/missions/{id}/skip_step";
    await operator.send(route, { id, body: { step_key: stuck.key } });
  } else if (drawn < 0.005) await operator.send("POST /operator/missions/{id}/pause", { id, body: {} });
  else if (drawn < 0.01) {
    await operator.send("POST /operator/missions/{id}/cancel", { id, body: { force: drawn < 0.006 } });
  }
}

/** A mission may have ended or progressed since it was read. */
function reportUnexpected(error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) process.stderr.write(`${String(error)}\n`);
}

function isOpen({ status }: Mission): boolean {
  return ["pending", "assigned", "running", "paused"].includes(status);
}

/** Waits until no mission is open, at most until the last deadline. */
async function waitUntilEnded(operator: Client): Promise<Mission[]> {
  const endMs = performance.now() + (DEADLINE_SECONDS + GRACE_SECONDS) * 1000;
  for (;;) {
    const { missions } = await operator.send("GET /operator/missions", {});
    if (!missions.some(isOpen) || performance.now() > endMs) return missions;
    await supervise(operator);
    await sleep(1000);
  }
}

function printResults(missions: readonly Mission[], mishaps: Mishaps): void {
  print(["ending", "missions", "p50 s", "p95 s", "worst s"]);
  const endings = new Map<string, Mission[]>();
  for (const mission of missions) {
    const ending = describeEnding(mission);
    endings.set(ending, [...(endings.get(ending) ?? []), mission]);
  }
  for (const [ending, those] of [...endings].toSorted(([, a], [, b]) => b.length - a.length)) {
    const seconds = those.map(getSeconds);
    const quantiles = [0.5, 0.95, 1].map((share) => quantile(seconds, share).toFixed(1));
    print([ending, those.length, ...quantiles]);
  }
  print([`mishaps: ${[...mishaps].map(([name, count]) => `${name} ${count}`).join(", ")}`]);
  const hanging = missions.filter((mission) => isOpen(mission) || describeEnding(mission) === "failed");
  const verdict =
    hanging.length === 0 ? "no mission hangs, and each completed or ended with a reason" : "FAILED";
  print([`${missions.length} missions of ${ROBOTS} robots: ${verdict}`]);
  if (hanging.length > 0) process.exitCode = 1;
}

/** A mission's final status, with the reason if any. */
function describeEnding({ status, error }: Mission): string {
  // In the service's format.
  const reason = (error as { type?: string } | null)?.type;
  return reason === undefined ? status : `${status}: ${reason}`;
}

function getSeconds({ created_at: from, finished_at: to }: Mission): number {
  return (Date.parse(to ?? new Date().toISOString()) - Date.parse(from)) / 1000;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function print(cells: readonly (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
