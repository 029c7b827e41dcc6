import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { WEBHOOK_ENVIRONMENT, writeEvents } from "../../support/webhook-scene.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";
import { type TestVisitor, type VisitedPage, getElementText } from "../support/test-visitor.ts";

const PATH = "/settings/webhooks";
const WAIT = { timeout: 20_000 };

let world: PageWorld;
let owner: TestVisitor;
let receiver: WebhookReceiver;

beforeAll(async () => {
  world = await openPageWorld(WEBHOOK_ENVIRONMENT);
  owner = await world.enter("owner");
});

afterAll(() => world.close());

beforeEach(async () => {
  await world.server.database.query("DELETE FROM webhook_endpoint");
  receiver = await startWebhookReceiver();
});

function toHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Adds an endpoint by the page. @returns the path of its page, and its secret. */
async function add(fields: Record<string, string> = {}): Promise<{ path: string; secret: string }> {
  const typed = { url: receiver.url, event_types: "probe.*\r\ntask.*", description: "Ours" };
  const made = await owner.submit(PATH, { ...typed, ...fields });
  expect(made.status).toBe(200);
  return { path: readPath(made), secret: readSecret(made) };
}

function readPath({ text }: VisitedPage): string {
  return /\/settings\/webhooks\/[0-9a-f-]{36}/.exec(text)?.[0] ?? "";
}

function readSecret({ text }: VisitedPage): string {
  return /whsec_[\w+/=]+/.exec(text)?.[0] ?? "";
}

function write(): Promise<void> {
  return writeEvents(world.server.systemCtx(world.workspaceId), [crypto.randomUUID()]);
}

function verify(secret: string): unknown {
  const one = receiver.received.at(-1);
  return new Webhook(secret).verify(one?.body ?? "", toHeaders(one?.headers ?? {}));
}

describe("/settings/webhooks", () => {
  it("adds an endpoint, shows its secret once, and lists it", async () => {
    const { path, secret } = await add();
    const list = await owner.get(PATH);
    for (const shown of [path, receiver.url, "probe.*", "Ours", "Enabled"])
      expect(list.text).toContain(shown);
    expect(list.text).not.toContain("whsec_");
    expect((await owner.get(path)).text).not.toContain("whsec_");
    await write();
    await expect.poll(() => receiver.received.length, WAIT).toBe(1);
    expect(verify(secret)).toMatchObject({ type: "probe.moved" });
  });

  it("adds a chat, never shows its URL again, and sends it a test", async () => {
    const url = new URL("/services/the-secret-of-a-chat-1234", receiver.url).href;
    const made = await owner.submit(PATH, { kind: "CHAT", url, event_types: "*", description: "Operators" });
    expect(made.status).toBe(303);
    const path = (made.headers.get("location") ?? "").split("?")[0] ?? "";
    for (const page of [await owner.get(PATH), await owner.get(path)]) {
      expect(page.text).toContain(`${new URL(url).origin}/…1234`);
      expect(page.text).not.toContain("the-secret");
    }
    expect((await owner.get(path)).text).not.toContain("Rotate secret");
    await owner.submit(path, {
      act: "update",
      kind: "CHAT",
      url: "",
      event_types: "alert.*",
      description: "",
    });
    await owner.submit(path, { act: "test" });
    await expect.poll(() => receiver.received.map((one) => one.path), WAIT).toEqual([new URL(url).pathname]);
    expect(JSON.parse(receiver.received[0]?.body ?? "").text).toContain("A test by");
    expect((await owner.get(path)).text).toContain("alert.*");
  });

  it.each([
    ["url", { url: "ftp://example.com" }],
    ["url", { url: "" }],
    ["eventTypes", { event_types: "Task!" }],
    ["eventTypes", { event_types: "" }],
    ["description", { description: "x".repeat(201) }],
  ])("says at its field what is wrong with %s in %j, and keeps what was entered", async (field, typed) => {
    const entered = { url: receiver.url, event_types: "*", description: "Kept", ...typed };
    const refused = await owner.submit(PATH, entered);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`id="${field}-error"`);
    if (field !== "description") expect(refused.text).toContain('value="Kept"');
  });

  it("asks for the password again to add one", async () => {
    const person = await world.person("admin");
    const visitor = await world.logIn(person);
    await world.endSudo(person);
    expect((await visitor.get(PATH)).text).toContain("confirm it's you first");
    const refused = await visitor.submit(PATH, { url: receiver.url, event_types: "*" });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("/users/confirm-password");
  });
});

describe("/settings/webhooks/:id", () => {
  it("sends a test event, shows what was sent and answered, and sends it again", async () => {
    const { path } = await add();
    expect((await owner.submit(path, { act: "test" })).location).toBe(`${path}?notice=tested`);
    await expect.poll(async () => (await owner.get(path)).text, WAIT).toContain("Delivered");
    await write();
    await expect.poll(async () => (await owner.get(path)).text, WAIT).toContain("probe.moved");
    await expect.poll(() => receiver.received.length, WAIT).toBe(2);
    const { text } = await owner.get(path);
    expect(text).toContain("<code>204</code>");
    const [delivery = ""] = /(?<=name="delivery" value=")[^"]+/.exec(text) ?? [];
    expect((await owner.submit(path, { act: "resend", delivery })).location).toBe(`${path}?notice=resent`);
    await expect.poll(() => receiver.received.length, WAIT).toBe(3);
    expect(receiver.received[2]?.id).toBe(receiver.received[1]?.id);
    await owner.submit(path, { act: "resend-from", delivery });
    await expect.poll(() => receiver.received.length, WAIT).toBe(4);
  });

  it("changes, disables and enables", async () => {
    const { path } = await add();
    const changed = { act: "update", url: `${receiver.url}/new`, event_types: "probe.*", description: "" };
    expect((await owner.submit(path, changed)).location).toBe(`${path}?notice=saved`);
    expect(getElementText(await owner.get(path), "main")).toContain(`${receiver.url}/new`);
    expect((await owner.submit(path, { act: "disable" })).location).toBe(`${path}?notice=disabled`);
    expect((await owner.get(PATH)).text).toContain("Disabled");
    await write();
    expect((await owner.submit(path, { act: "enable", from: "now" })).location).toBe(
      `${path}?notice=enabled`,
    );
    await write();
    await expect.poll(() => receiver.received.length, WAIT).toBe(1);
    await owner.submit(path, { act: "disable" });
    await write();
    await owner.submit(path, { act: "enable" });
    await expect.poll(() => receiver.received.length, WAIT).toBe(2);
    expect(receiver.received.map((one) => one.path)).toEqual(["/new", "/new"]);
  });

  it("rotates the secret: both sign for a while, or the new one alone", async () => {
    const { path, secret } = await add();
    const rotated = readSecret(await owner.submit(path, { act: "rotate", overlap_seconds: "3600" }));
    expect(getElementText(await owner.get(path), "main")).toContain("signs too until");
    await write();
    await expect.poll(() => receiver.received.length, WAIT).toBe(1);
    expect([verify(secret), verify(rotated)]).toMatchObject([{ specversion: "1.0" }, { specversion: "1.0" }]);
    const newest = readSecret(await owner.submit(path, { act: "rotate", overlap_seconds: "0" }));
    await write();
    await expect.poll(() => receiver.received.length, WAIT).toBe(2);
    expect(verify(newest)).toMatchObject({ specversion: "1.0" });
    expect(() => verify(rotated)).toThrow();
    expect((await owner.submit(path, { act: "rotate", overlap_seconds: "a week" })).status).toBe(422);
  });

  it("deletes, and refuses what it does not know", async () => {
    const { path } = await add();
    expect((await owner.submit(path, { act: "x" })).status).toBe(422);
    expect((await owner.submit(path, { act: "resend", delivery: "x" })).status).toBe(422);
    expect((await owner.get(`${path}?before=x`)).status).toBe(422);
    expect((await owner.submit(path, { act: "delete" })).location).toBe(`${PATH}?notice=deleted`);
    expect((await owner.get(path)).status).toBe(404);
  });
});
