import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import { INNER_ADDRESSES } from "../support/inner-addresses.ts";
import { serve } from "../support/outbound-scene.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { WEBHOOK_ENVIRONMENT, addEndpoint, listDeliveries, writeEvents } from "../support/webhook-scene.ts";

let server: TestServer;
let dns: DnsServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer({ ...WEBHOOK_ENVIRONMENT, OUTBOUND_ALLOW: "" });
  dns = await startDnsServer();
});

afterAll(async () => {
  await dns.close();
  await server.close();
});

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

/** Why the last attempt of an endpoint's delivery failed. */
async function findProblem(endpointId: string): Promise<string | null> {
  const [delivery] = await listDeliveries(ctx, endpointId);
  return delivery?.problem ?? null;
}

describe("webhooks to addresses that are not public", () => {
  it("connect nowhere, in whatever notation, and the deliveries say why", async () => {
    const receiver = await startWebhookReceiver();
    const added = [];
    for (const scheme of ["http", "https"]) {
      for (const [host, problem] of INNER_ADDRESSES) {
        const { endpoint } = await addEndpoint(ctx, `${scheme}://${host}:${receiver.port}/`);
        added.push({ id: endpoint.id, url: `${scheme}://${host}`, problem });
      }
    }
    await writeEvents(ctx, [randomUUID()]);
    for (const { id, url, problem } of added) {
      await expect.poll(async () => `${url}: ${await findProblem(id)}`).toContain(problem);
    }
    expect(receiver.connections()).toBe(0);
  });

  it("connect to no name that has such an address, nor to one that gets it later", async () => {
    const receiver = await startWebhookReceiver();
    dns.addresses.set("inner.example", "127.0.0.1");
    dns.addresses.set("rebinding.example", "8.8.8.8");
    const [inner, rebinding] = [
      await addEndpoint(ctx, `https://inner.example:${receiver.port}/`),
      await addEndpoint(ctx, `https://rebinding.example:${receiver.port}/`),
    ];
    dns.addresses.set("rebinding.example", "127.0.0.1");
    await writeEvents(ctx, [randomUUID()]);
    for (const { endpoint } of [inner, rebinding]) {
      await expect.poll(() => findProblem(endpoint.id)).toContain("is a loopback address");
    }
    expect(receiver.connections()).toBe(0);
  });
});

describe("webhooks to a receiver that redirects to one", () => {
  it("don't follow", async () => {
    const own = await startTestServer(WEBHOOK_ENVIRONMENT);
    onTestFinished(() => own.close());
    const here = own.systemCtx((await own.createWorkspace()).workspaceId);
    const target = await startWebhookReceiver();
    const redirecting = await serve((_request, response) =>
      response.writeHead(307, { location: `http://localhost:${target.port}/` }).end(),
    );
    const { endpoint } = await addEndpoint(here, redirecting.url);
    await writeEvents(here, [randomUUID()]);
    await expect.poll(async () => (await listDeliveries(here, endpoint.id))[0]?.answerStatus).toBe(307);
    expect(target.connections()).toBe(0);
  });
});
