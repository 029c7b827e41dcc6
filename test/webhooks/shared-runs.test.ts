import { randomUUID } from "node:crypto";
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
      await expect.poll(() => other.received.length).toBe(nth);
    }
  });
});
