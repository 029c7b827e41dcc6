import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rotateWebhookSecret } from "../../src/auth/webhooks/rotate-webhook-secret.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { resendDelivery } from "../../src/domain/webhooks/resend-delivery.ts";
import { resendFromDelivery } from "../../src/domain/webhooks/resend-from-delivery.ts";
import { sendTestEvent } from "../../src/domain/webhooks/send-test-event.ts";
import { updateWebhookEndpoint } from "../../src/auth/webhooks/update-webhook-endpoint.ts";
import { resumeWorkspace, suspendWorkspace } from "../../src/domain/workspaces/suspend-workspace.ts";
import { readEventTypes } from "../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import {
  WEBHOOK_ENVIRONMENT,
  addEndpoint,
  countDisorder,
  listDeliveries,
  passRetryTime,
  writeEvents,
} from "../support/webhook-scene.ts";

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

function toHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

describe("webhook delivery", () => {
  it("sends an event as a CloudEvent that standardwebhooks verifies", async () => {
    const receiver = await startWebhookReceiver();
    const { endpoint, secret } = await addEndpoint(ctx, receiver.url);
    const subject = randomUUID();
    await writeEvents(ctx, [subject]);
    await expect.poll(() => receiver.received.length, WAIT).toBe(1);
    const [one] = receiver.received;
    const verified = new Webhook(secret).verify(one?.body ?? "", toHeaders(one?.headers ?? {}));
    expect(verified).toMatchObject({
      ...{ specversion: "1.0", type: "probe.moved", subject, source: `urn:uuid:${ctx.workspaceId}` },
      sequence: expect.stringMatching(/^\d{20}$/),
      data: { type: "probe.moved", subject_type: "agent", subject_id: subject, data: { index: 0 } },
    });
    expect(one?.headers["webhook-id"]).toBe(one?.id);
    expect(() => new Webhook(secret).verify(`${one?.body} `, toHeaders(one?.headers ?? {}))).toThrow();
    await expect
      .poll(() => listDeliveries(ctx, endpoint.id), WAIT)
      .toMatchObject([
        { status: "delivered", attempts: 1, answerStatus: 204, eventId: one?.id, body: one?.body },
      ]);
  });

  it("sends only events of the endpoint's types, from when it was added on", async () => {
    const receiver = await startWebhookReceiver();
    await writeEvents(ctx, [randomUUID()]);
    await addEndpoint(ctx, receiver.url, ["probe.*", "other.exact"]);
    for (const type of ["other.exactly", "other.exact", "probes.moved", "probe.stopped"]) {
      await writeEvents(ctx, [randomUUID()], type);
    }
    await expect.poll(() => receiver.received.length, WAIT).toBe(2);
    expect(receiver.received.map(({ type }) => type).toSorted()).toEqual(["other.exact", "probe.stopped"]);
  });

  it("holds back a failed event's subject alone, and delivers in order once it gets through", async () => {
    const receiver = await startWebhookReceiver();
    const { endpoint } = await addEndpoint(ctx, receiver.url);
    const [bad, good] = [randomUUID(), randomUUID()];
    receiver.answer = ({ subject }) => (subject === bad ? 500 : 200);
    await writeEvents(ctx, [bad, good, bad, good]);
    await expect.poll(() => receiver.received.length, WAIT).toBe(3);
    await writeEvents(ctx, [bad, good]);
    await expect.poll(() => receiver.received.length, WAIT).toBe(4);
    await expect
      .poll(async () => (await listDeliveries(ctx, endpoint.id)).map(({ status }) => status), WAIT)
      .toEqual(["pending", "delivered", "pending", "delivered", "pending", "delivered"]);
    receiver.answer = () => 204;
    await passRetryTime(server.database);
    await expect.poll(() => receiver.received.length, WAIT).toBe(7);
    expect(countDisorder(receiver.received)).toBe(0);
    const first = receiver.received.filter(({ subject }) => subject === bad).slice(0, 2);
    expect(first[1]?.id).toBe(first[0]?.id);
    expect(first[1]?.headers["webhook-id"]).toBe(first[0]?.id);
  });

  it("sends nothing of a suspended workspace, and what it missed once that is resumed", async () => {
    const receiver = await startWebhookReceiver();
    const [suspended, other] = [ctx, server.systemCtx((await server.createWorkspace()).workspaceId)];
    await addEndpoint(suspended, receiver.url);
    await addEndpoint(other, receiver.url);
    await suspendWorkspace(suspended);
    const subjects = [randomUUID(), randomUUID()];
    await writeEvents(suspended, subjects.slice(0, 1));
    // By then the first one had its turns.
    for (const nth of [1, 2, 3]) {
      await writeEvents(other, subjects.slice(1));
      await expect.poll(() => receiver.received.length, WAIT).toBe(nth);
    }
    expect(new Set(receiver.received.map(({ subject }) => subject))).toEqual(new Set(subjects.slice(1)));
    await resumeWorkspace(suspended);
    await expect.poll(() => receiver.received.length, WAIT).toBe(4);
    expect(receiver.received.at(-1)).toMatchObject({ subject: subjects[0] });
  });

  it("has at most 8 requests under way", async () => {
    const receiver = await startWebhookReceiver();
    const open: (() => void)[] = [];
    receiver.answer = () => (response) => void open.push(() => response.writeHead(204).end());
    await addEndpoint(ctx, receiver.url);
    await writeEvents(
      ctx,
      Array.from({ length: 20 }, () => randomUUID()),
    );
    await expect.poll(() => open.length, WAIT).toBe(8);
    receiver.answer = () => 204;
    expect(receiver.received).toHaveLength(8);
    for (const end of open) end();
    await expect.poll(() => receiver.received.length, WAIT).toBe(20);
  });

  it("attempts seven times, then disables the endpoint and tells the admins, and goes on when it is enabled", async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer = () => 503;
    const { endpoint } = await addEndpoint(ctx, receiver.url);
    const admin = { email: `admin@${ctx.workspaceId}.example`, role: "admin" as const };
    await ctx.db.user.create({
      data: { workspaceId: ctx.workspaceId, id: randomUUID(), ...admin },
    });
    await writeEvents(ctx, [randomUUID()]);
    const delays = [5, 300, 1800, 7200, 18_000, 36_000];
    for (const [index, seconds] of delays.entries()) {
      await expect
        .poll(async () => (await listDeliveries(ctx, endpoint.id))[0]?.attempts, WAIT)
        .toBe(index + 1);
      const [waiting] = await listDeliveries(ctx, endpoint.id);
      const delay = (waiting?.nextAttemptAt?.getTime() ?? 0) - (waiting?.attemptedAt?.getTime() ?? 0);
      expect(delay / 1000).toBeGreaterThan(seconds * 0.99);
      expect(delay / 1000).toBeLessThan(seconds * 1.11);
      await passRetryTime(server.database);
    }
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: endpoint.id } };
    const read = () => ctx.db.webhookEndpoint.findUniqueOrThrow({ where });
    await expect.poll(read, WAIT).toMatchObject({ disabledBecause: "failed" });
    expect(receiver.received).toHaveLength(7);
    expect(await readEventTypes(server, endpoint.id)).toContain("webhook_endpoint.disabled");
    expect(await ctx.db.mailOutbox.findMany({ where: { kind: "webhook_disabled" } })).toMatchObject([
      { sentTo: admin.email, data: { endpointId: endpoint.id, because: "failed" } },
    ]);
    receiver.answer = () => 204;
    await writeEvents(ctx, [randomUUID()]);
    await updateWebhookEndpoint(ctx, { id: endpoint.id, enabled: true });
    await expect.poll(() => receiver.received.length, WAIT).toBe(9);
  });

  it("disables an endpoint that answers 410 at once", async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer = () => 410;
    const { endpoint } = await addEndpoint(ctx, receiver.url);
    await writeEvents(ctx, [randomUUID()]);
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: endpoint.id } };
    await expect
      .poll(() => ctx.db.webhookEndpoint.findUniqueOrThrow({ where }), WAIT)
      .toMatchObject({ disabledBecause: "gone" });
    expect(receiver.received).toHaveLength(1);
  });

  it("waits as long as the receiver asks, and follows no redirect", async () => {
    const receiver = await startWebhookReceiver();
    const { endpoint } = await addEndpoint(ctx, receiver.url);
    const [slow, moved] = [randomUUID(), randomUUID()];
    receiver.answer =
      ({ subject }) =>
      (response) =>
        void (subject === slow
          ? response.writeHead(429, { "retry-after": "120" }).end("x".repeat(5000))
          : response.writeHead(302, { location: receiver.url }).end());
    await writeEvents(ctx, [slow, moved]);
    await expect
      .poll(() => listDeliveries(ctx, endpoint.id), WAIT)
      .toMatchObject([
        { answerStatus: 429, answerBody: "x".repeat(4096), status: "pending" },
        { answerStatus: 302, problem: "Redirects are not followed.", status: "pending" },
      ]);
    const [asked] = await listDeliveries(ctx, endpoint.id);
    const delay = (asked?.nextAttemptAt?.getTime() ?? 0) - (asked?.attemptedAt?.getTime() ?? 0);
    expect(delay).toBeGreaterThan(119_000);
    expect(receiver.received).toHaveLength(2);
  });

  it("takes a compressed answer by its status, without its body", async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer = () => (response) =>
      void response.writeHead(200, { "content-encoding": "gzip" }).end(Buffer.of(0x1f, 0x8b));
    const { endpoint } = await addEndpoint(ctx, receiver.url);
    await writeEvents(ctx, [randomUUID()]);
    await expect
      .poll(() => listDeliveries(ctx, endpoint.id), WAIT)
      .toMatchObject([{ status: "delivered", attempts: 1, answerStatus: 200, answerBody: "" }]);
  });

  it("signs with two secrets during a rotation, and with one without", async () => {
    const receiver = await startWebhookReceiver();
    const { endpoint, secret } = await addEndpoint(ctx, receiver.url);
    const rotated = await rotateWebhookSecret(ctx, { id: endpoint.id });
    await writeEvents(ctx, [randomUUID()]);
    await expect.poll(() => receiver.received.length, WAIT).toBe(1);
    const [both] = receiver.received;
    for (const one of [secret, rotated.secret]) {
      new Webhook(one).verify(both?.body ?? "", toHeaders(both?.headers ?? {}));
    }
    const last = await rotateWebhookSecret(ctx, { id: endpoint.id, overlapSeconds: 0 });
    await writeEvents(ctx, [randomUUID()]);
    await expect.poll(() => receiver.received.length, WAIT).toBe(2);
    const newest = receiver.received[1];
    const headers = toHeaders(newest?.headers ?? {});
    new Webhook(last.secret).verify(newest?.body ?? "", headers);
    for (const one of [secret, rotated.secret]) {
      expect(() => new Webhook(one).verify(newest?.body ?? "", headers)).toThrow();
    }
  });

  it("sends test events, one event again, and everything from one on", async () => {
    const receiver = await startWebhookReceiver();
    const { endpoint, secret } = await addEndpoint(ctx, receiver.url);
    await sendTestEvent(ctx, { id: endpoint.id });
    await expect
      .poll(() => receiver.received.map(({ type }) => type), WAIT)
      .toEqual(["webhook_endpoint.test"]);
    new Webhook(secret).verify(
      receiver.received[0]?.body ?? "",
      toHeaders(receiver.received[0]?.headers ?? {}),
    );
    const subjects = Array.from({ length: 5 }, () => randomUUID());
    for (const subject of subjects) await writeEvents(ctx, [subject]);
    await expect.poll(async () => (await listDeliveries(ctx, endpoint.id)).length, WAIT).toBe(6);
    const deliveries = (await listDeliveries(ctx, endpoint.id)).slice(1);
    const third = deliveries[2];
    await resendDelivery(ctx, { id: third?.id ?? "" });
    await expect.poll(() => receiver.received.length, WAIT).toBe(7);
    expect(receiver.received[6]).toMatchObject({ id: third?.eventId, body: third?.body });
    await resendFromDelivery(ctx, { id: third?.id ?? "" });
    await expect.poll(() => receiver.received.length, WAIT).toBe(10);
    expect(
      receiver.received
        .slice(7)
        .map(({ subject }) => subject)
        .toSorted(),
    ).toEqual(subjects.slice(2).toSorted());
    await expect
      .poll(
        async () => (await listDeliveries(ctx, endpoint.id)).every(({ status }) => status === "delivered"),
        WAIT,
      )
      .toBe(true);
    expect(await listDeliveries(ctx, endpoint.id)).toHaveLength(6);
  });

  it("says which events it lost because the log no longer had them, and goes on with the rest", async () => {
    const receiver = await startWebhookReceiver();
    const { endpoint } = await addEndpoint(ctx, receiver.url);
    await updateWebhookEndpoint(ctx, { id: endpoint.id, enabled: false });
    const [gone, kept] = [randomUUID(), randomUUID()];
    await writeEvents(ctx, [gone]);
    await writeEvents(ctx, [kept]);
    const values = [ctx.workspaceId, kept];
    const first = "(SELECT seq FROM event WHERE workspace_id = $1 AND subject_id = $2)";
    await server.database.query(
      `UPDATE workspace_head SET min_seq = ${first} WHERE workspace_id = $1`,
      values,
    );
    await server.database.query(`DELETE FROM event WHERE workspace_id = $1 AND seq < ${first}`, values);
    await updateWebhookEndpoint(ctx, { id: endpoint.id, enabled: true });
    await expect.poll(() => receiver.received.map(({ subject }) => subject), WAIT).toEqual([kept]);
    expect(await readEventTypes(server, endpoint.id)).toContain("webhook_endpoint.events_lost");
  });

  it("skips what was missed if it is enabled from now on", async () => {
    const receiver = await startWebhookReceiver();
    const { endpoint } = await addEndpoint(ctx, receiver.url);
    await updateWebhookEndpoint(ctx, { id: endpoint.id, enabled: false });
    await writeEvents(ctx, [randomUUID()]);
    await updateWebhookEndpoint(ctx, { id: endpoint.id, enabled: true, fromNow: true });
    const subject = randomUUID();
    await writeEvents(ctx, [subject]);
    await expect.poll(() => receiver.received.map((one) => one.subject), WAIT).toEqual([subject]);
  });
});
