import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { WEBHOOK_ENVIRONMENT, addEndpoint, writeEvents } from "../support/webhook-scene.ts";

const WAIT = { timeout: 20_000 };

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer(WEBHOOK_ENVIRONMENT);
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

describe("webhook delivery to receivers that hang", () => {
  it("leaves room for others where they are many of one workspace", async () => {
    const [hanging, other] = [await startWebhookReceiver(), await startWebhookReceiver()];
    hanging.answer = () => () => {};
    for (let nth = 0; nth < 60; nth++) await addEndpoint(ctx, `${hanging.url}/${nth}`);
    await writeEvents(ctx, [randomUUID()]);
    await expect.poll(() => hanging.received.length, WAIT).toBe(25);
    const elsewhere = server.systemCtx((await server.createWorkspace()).workspaceId);
    await addEndpoint(elsewhere, other.url);
    // At each look for endpoints, those that hang could be taken too.
    for (let nth = 1; nth <= 3; nth++) {
      await writeEvents(elsewhere, [randomUUID()]);
      await writeEvents(ctx, [randomUUID()]);
      await expect.poll(() => other.received.length, WAIT).toBe(nth);
    }
    expect(new Set(hanging.received.map(({ path }) => path)).size).toBe(25);
  });

  it("leaves room for others where they are of many workspaces", async () => {
    const [hanging, other] = [await startWebhookReceiver(), await startWebhookReceiver()];
    hanging.answer = () => () => {};
    const crowd = await Promise.all(
      Array.from({ length: 22 }, async () => {
        const own = server.systemCtx((await server.createWorkspace()).workspaceId);
        for (let nth = 0; nth < 25; nth++) await addEndpoint(own, `${hanging.url}/${own.workspaceId}`);
        return own;
      }),
    );
    await Promise.all(crowd.map((own) => writeEvents(own, [randomUUID()])));
    await expect.poll(() => new Set(hanging.received.map(({ path }) => path)).size, WAIT).toBe(22);
    await addEndpoint(ctx, other.url);
    for (let nth = 1; nth <= 3; nth++) {
      await writeEvents(ctx, [randomUUID()]);
      await expect.poll(() => other.received.length, WAIT).toBe(nth);
    }
  });
});

describe("webhook delivery to a receiver that is down", () => {
  it("leaves the event loop free until the next attempt, however many events come meanwhile", async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer = () => 503;
    const { endpoint } = await addEndpoint(ctx, receiver.url);
    const subjects = Array.from({ length: 8 }, () => randomUUID());
    await writeEvents(ctx, subjects);
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: endpoint.id } };
    await expect
      .poll(async () => ctx.db.webhookEndpoint.findUnique({ where }), WAIT)
      .toMatchObject({ isHeld: true, leaseToken: null });
    await writeEvents(
      ctx,
      Array.from({ length: 600 }, () => randomUUID()),
    );
    const delay = monitorEventLoopDelay({ resolution: 5 });
    await server.database.query(
      `UPDATE webhook_delivery SET next_attempt_at = now() + CASE WHEN subject_id = $2 THEN 0 ELSE 1.9 END * interval '1 second'
      WHERE endpoint_id = $1 AND subject_id = ANY($3)`,
      [endpoint.id, subjects[0], subjects.slice(0, 2)],
    );
    delay.enable();
    const attempts = () => receiver.received.filter(({ subject }) => subject === subjects[1]);
    await expect.poll(() => attempts().length, WAIT).toBe(2);
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(600);
  });
});
