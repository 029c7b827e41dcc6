import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWebhookEndpoint } from "../../src/auth/webhooks/create-webhook-endpoint.ts";
import { rotateWebhookSecret } from "../../src/auth/webhooks/rotate-webhook-secret.ts";
import { updateWebhookEndpoint } from "../../src/auth/webhooks/update-webhook-endpoint.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { sendTestEvent } from "../../src/domain/webhooks/send-test-event.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { type WebhookReceiver, startWebhookReceiver } from "../support/webhook-receiver.ts";
import { WEBHOOK_ENVIRONMENT, listDeliveries, writeEvents } from "../support/webhook-scene.ts";

const WAIT = { timeout: 20_000 };
const SECRET_PATH = "/services/T0123/B0123/a-secret-of-the-chat-wxyz";

let server: TestServer;
let ctx: Ctx;
let receiver: WebhookReceiver;

beforeAll(async () => {
  server = await startTestServer(WEBHOOK_ENVIRONMENT);
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
  receiver = await startWebhookReceiver();
});

function addChat(eventTypes?: string[]) {
  const url = new URL(SECRET_PATH, receiver.url).href;
  return createWebhookEndpoint(ctx, { kind: "chat", url, ...(eventTypes && { eventTypes }) });
}

function readTexts(): string[] {
  return receiver.received.map(({ body }) => JSON.parse(body).text);
}

describe("a chat", () => {
  it("gets a message of each question, with a link to its answer, in order, and of nothing else that happens", async () => {
    await addChat();
    await writeEvents(ctx, [randomUUID()]);
    const sent = [];
    for (const text of ["Refund <b>all</b> & go on?", "Or half?"]) {
      sent.push(await sendMessage(ctx, { kind: "question", parts: [{ text }] }));
    }
    await sendMessage(ctx, { kind: "text", parts: [{ text: "Just saying" }] });
    await emergencyStop(ctx, { reason: "smoke in hall 3" });
    await expect.poll(() => receiver.received.length, WAIT).toBe(3);
    const { name } = ctx.actor;
    const [base] = readTexts()[0]?.split("\n")[1]?.split("/inbox/") ?? [];
    expect(base).toMatch(/^http:/);
    expect(readTexts()).toEqual([
      `❓ ${name} asks: Refund &lt;b&gt;all&lt;/b&gt; &amp; go on?\n${base}/inbox/${sent[0]?.message.id}`,
      `❓ ${name} asks: Or half?\n${base}/inbox/${sent[1]?.message.id}`,
      `🛑 Emergency stop of all agents by ${name}: smoke in hall 3\n${base}/`,
    ]);
  });

  it("is not signed, has one request under way, and gets a failed message again", async () => {
    const { endpoint } = await addChat(["agent.offline"]);
    const open: (() => void)[] = [];
    receiver.answer = () => (response) => void open.push(() => response.writeHead(200).end("ok"));
    await writeEvents(ctx, [randomUUID(), randomUUID(), randomUUID()], "agent.offline");
    await expect.poll(() => open.length, WAIT).toBe(1);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.path).toBe(SECRET_PATH);
    const headers = receiver.received[0]?.headers ?? {};
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(Object.keys(headers).filter((header) => header.startsWith("webhook-"))).toEqual([]);
    let answers = 0;
    receiver.answer = () => (answers++ === 0 ? 500 : 200);
    open[0]?.();
    await expect.poll(() => receiver.received.length, WAIT).toBe(3);
    await expect
      .poll(async () => (await listDeliveries(ctx, endpoint.id)).map(({ status }) => status).toSorted(), WAIT)
      .toEqual(["delivered", "delivered", "pending"]);
  });

  it("has a URL that is sealed, and shown masked wherever it is shown", async () => {
    const { endpoint, secret } = await addChat();
    expect(secret).toBeNull();
    const masked = `${new URL(receiver.url).origin}/…wxyz`;
    expect(endpoint.url).toBe(masked);
    const { id } = endpoint;
    const moved = await updateWebhookEndpoint(ctx, { id, url: new URL("/short", receiver.url).href });
    expect(moved.url).toBe(`${new URL(receiver.url).origin}/…`);
    await sendTestEvent(ctx, { id });
    await expect.poll(() => receiver.received.map(({ path }) => path), WAIT).toEqual(["/short"]);
    expect(readTexts()[0]).toMatch(/^👋 A test by /);
    const rows = await server.database.query<{ text: string }>(
      "SELECT row_to_json(r)::text AS text FROM (SELECT * FROM webhook_endpoint WHERE id = $1) r " +
        "UNION ALL SELECT row_to_json(a)::text FROM audit_event a WHERE target_id = $2 " +
        "UNION ALL SELECT row_to_json(e)::text FROM event e WHERE subject_id = $1 " +
        "UNION ALL SELECT row_to_json(d)::text FROM webhook_delivery d WHERE endpoint_id = $1",
      [id, id],
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { text } of rows) {
      expect(text).not.toContain("a-secret");
      expect(text).not.toContain("/short");
    }
  });

  it("has no other secret, and no types of which chats are not told", async () => {
    const { endpoint } = await addChat();
    const { id } = endpoint;
    await expect(rotateWebhookSecret(ctx, { id })).rejects.toMatchObject({ code: "invalid_state" });
    const refused = { code: "validation_failed", details: { field: "eventTypes" } };
    await expect(addChat(["alert.*", "task.*"])).rejects.toMatchObject(refused);
    await expect(updateWebhookEndpoint(ctx, { id, eventTypes: ["task.created"] })).rejects.toMatchObject(
      refused,
    );
    await updateWebhookEndpoint(ctx, { id, eventTypes: ["alert.*"] });
    await writeEvents(ctx, [randomUUID()], "agent.offline");
    await writeEvents(ctx, [randomUUID()], "alert.fired");
    await expect.poll(() => receiver.received.length, WAIT).toBe(1);
    expect(readTexts()[0]).toMatch(/^🔥 /);
  });
});
