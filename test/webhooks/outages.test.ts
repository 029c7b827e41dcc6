import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/config/logger.ts";
import { type Ctx, openCtx, systemCaller } from "../../src/domain/kernel/context.ts";
import { type OpenServices, openServices } from "../../src/services.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { type ReceiverProcess, startReceiverProcess } from "../support/webhook-receiver-process.ts";
import { WEBHOOK_ENVIRONMENT, addEndpoint, countDisorder, writeEvents } from "../support/webhook-scene.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const EVENTS = 1200;
const PER_SECOND = 200;
const SUBJECTS = Array.from({ length: 20 }, () => randomUUID());
const WAIT = { timeout: 60_000, interval: 100 };

let database: TestDatabase;
let services: OpenServices;
let ctx: Ctx;
let receiver: ReceiverProcess;

/** This process writes, and sends nothing. */
beforeEach(async () => {
  database = await createTestDatabase();
  const config = readConfig({ DATABASE_URL: database.url, ...WEBHOOK_ENVIRONMENT });
  services = await openServices(config, createLogger("silent"));
  const { workspaceId } = await createWorkspace(services, { name: "Outages", policies: [] });
  ctx = openCtx(services, systemCaller(workspaceId, "test"));
  receiver = await startReceiverProcess();
});

afterEach(async () => {
  await receiver.kill();
  await services.close();
  await database.drop();
});

async function startSender(): Promise<NodeProcess> {
  const node = await startNode(database.url, { ...WEBHOOK_ENVIRONMENT, LOG_LEVEL: "info" });
  onTestFinished(async () => void (await node.stop()));
  return node;
}

/** Writes events at a steady rate, and does something after some of them. */
async function writeSteadily(acts: Record<number, () => Promise<void>>): Promise<void> {
  const startMs = performance.now();
  const doing: Promise<void>[] = [];
  for (let count = 0; count < EVENTS; count++) {
    await pause(Math.max(0, startMs + (count * 1000) / PER_SECOND - performance.now()));
    const act = acts[count];
    if (act !== undefined) doing.push(act());
    await writeEvents(ctx, [SUBJECTS[count % SUBJECTS.length] ?? ""]);
  }
  await Promise.all(doing);
}

/** All events have arrived, each with one id, those of a subject in order. */
async function expectAll(): Promise<void> {
  await expect.poll(() => new Set(receiver.seen.map(({ id }) => id)).size, WAIT).toBe(EVENTS);
  const rows = await database.query<{ id: string }>(
    "SELECT id FROM event WHERE workspace_id = $1 AND type = 'probe.moved'",
    [ctx.workspaceId],
  );
  expect(new Set(receiver.seen.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)));
  expect(countDisorder(receiver.seen)).toBe(0);
}

describe("webhooks under 200 events a second", () => {
  it("lose nothing, and keep each subject's order, while the receiver's process is killed", async () => {
    await startSender();
    await addEndpoint(ctx, receiver.url);
    await writeSteadily({ 300: receiver.kill, 700: receiver.restart });
    await expectAll();
  });

  it("lose nothing, and keep each subject's order, when the node that sends is killed", async () => {
    await addEndpoint(ctx, receiver.url);
    const first = await startSender();
    await writeEvents(ctx, [SUBJECTS[0] ?? ""], "probe.first");
    await expect.poll(() => receiver.seen.length, WAIT).toBe(1);
    await startSender();
    await writeSteadily({ 400: first.kill });
    receiver.seen.splice(0, 1);
    await expectAll();
  });
});
