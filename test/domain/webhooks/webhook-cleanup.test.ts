import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp } from "../../../src/domain/sweeps/clean-up.ts";
import { createWebhookCleanup } from "../../../src/domain/webhooks/webhook-cleanup.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { insertWebhook } from "../../support/webhook-scene.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("createWebhookCleanup", () => {
  it("deletes deliveries past the workspace's retention, but none that is pending", async () => {
    const ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
    await updateWorkspace(ctx, { webhookDeliveryRetentionDays: 3 });
    const [old, young, pending] = [
      await insertWebhook(ctx, "old"),
      await insertWebhook(ctx, "young"),
      await insertWebhook(ctx, "pending"),
    ];
    const age = "UPDATE webhook_delivery SET created_at = now() - $2::interval, status = $3 WHERE id = $1";
    await server.database.query(age, [old.webhookDelivery, "3 days 1 minute", "delivered"]);
    await server.database.query(age, [young.webhookDelivery, "2 days 23 hours", "delivered"]);
    await server.database.query(age, [pending.webhookDelivery, "30 days", "pending"]);
    await cleanUp(server.services, [createWebhookCleanup(server.services, null)]);
    const left = await ctx.db.webhookDelivery.findMany({ select: { id: true }, orderBy: { id: "asc" } });
    expect(left.map(({ id }) => id)).toEqual([young.webhookDelivery, pending.webhookDelivery]);
  });
});
