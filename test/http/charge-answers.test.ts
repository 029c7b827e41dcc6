import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { createKeyWith } from "../support/callers.ts";
import { insertRobots, insertTestAgent } from "../support/factories.ts";
import { createOrderScene } from "../support/order-scene.ts";
import { type Idp, URN, createIdp, userBody } from "../support/scim-world.ts";
import { type TestServer, startOn } from "../support/server.ts";
import { agentSocket } from "../support/socket-client.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

/** So low that the debt of one large answer lasts for many seconds. */
const LIMIT = 2;
const BYTES_PER_REQUEST = 65_536;
const TASKS = "/api/v1/tasks?limit=100";
const QUERY = "{ tasks(first: 20) { nodes { input } } }";

let world: TestWorld;
/** A node with a rate limit. The other one has none. */
let limited: TestServer;
let taskPath: string;

beforeAll(async () => {
  world = await createWorld();
  limited = await startOn(world.server.database, { RATE_LIMIT: String(LIMIT) });
  const text = "x".repeat(200_000);
  for (let made = 0; made < 20; made++) {
    const { id } = await createTask(world.ctx, { title: "Big", input: [{ text }] });
    taskPath = `/api/v1/tasks/${id}`;
  }
});

afterAll(async () => {
  await limited.stop();
  await world.server.close();
});

/** Creates a client of the limited node with a fresh key. */
async function createClient(workspaceId = world.workspaceId): Promise<{ key: string; agent: TestClient }> {
  const key = await createKeyWith(world.server, workspaceId, ["tasks:read", "robots:read"]);
  return { key, agent: createTestClient(limited.url, key) };
}

/** Expects that the caller is refused until an answer of this size is paid for. */
async function expectDebt(send: () => Promise<{ status: number; headers: Headers }>, bytes: number) {
  const { status, headers } = await send();
  expect(status).toBe(429);
  const seconds = bytes / BYTES_PER_REQUEST / LIMIT;
  const retryAfter = Number(headers.get("retry-after"));
  expect(retryAfter).toBeGreaterThan(seconds * 0.5);
  expect(retryAfter).toBeLessThanOrEqual(Math.ceil(seconds) + 2);
}

describe("a large answer", () => {
  it("of REST is charged to its credential alone", async () => {
    const { agent } = await createClient();
    const { status, text } = await agent.get(TASKS);
    expect([status, text.length > 2_000_000]).toEqual([200, true]);
    await expectDebt(() => agent.get("/api/v1/whoami"), text.length);
    expect((await (await createClient()).agent.get("/api/v1/whoami")).status).toBe(200);
  });

  it("is charged without its body, too", async () => {
    const { text } = await world.agent.get(TASKS);
    const { agent } = await createClient();
    const { status } = await agent.send(TASKS, { method: "HEAD" });
    expect(status).toBe(200);
    await expectDebt(() => agent.get("/api/v1/whoami"), text.length);
  });

  it("is charged if the client has it", async () => {
    const { text, headers } = await world.agent.get(taskPath);
    const { agent } = await createClient();
    const known = await agent.get(taskPath, { "if-none-match": headers.get("etag") ?? "" });
    expect(known.status).toBe(304);
    await expectDebt(() => agent.get("/api/v1/whoami"), text.length);
  });

  it("of GraphQL is charged by POST and GET", async () => {
    const { agent } = await createClient();
    const { status, text } = await agent.graphql(QUERY);
    expect([status, text.length > 2_000_000]).toEqual([200, true]);
    await expectDebt(() => agent.graphql("{ __typename }"), text.length);
    const other = await createClient();
    expect((await other.agent.get(`/graphql?query=${encodeURIComponent(QUERY)}`)).status).toBe(200);
    await expectDebt(() => other.agent.get("/graphql?query={__typename}"), text.length);
  });

  it("of GraphQL is charged for what it reads and does not select", async () => {
    const query = "{ tasks(first: 20) { nodes { uuid } } }";
    const { agent } = await createClient();
    expect((await agent.graphql(query)).status).toBe(200);
    await expectDebt(() => agent.graphql("{ __typename }"), 4_000_000);
    const other = await createClient();
    const socket = await agentSocket(limited.url, other.key);
    socket.send({ type: "subscribe", id: "read", payload: { query } });
    await socket.until(({ type }) => type === "complete");
    await expectDebt(() => other.agent.get("/api/v1/whoami"), 4_000_000);
    socket.socket.close();
  });

  it("of GraphQL is charged for single rows that it reads", async () => {
    const id = Buffer.from(`Task:${taskPath.split("/").at(-1)}`).toString("base64");
    const fields = Array.from({ length: 20 }, (_each, index) => [
      `a${index}: task(id: "${id}") { uuid }`,
      `b${index}: node(id: "${id}") { id }`,
    ]);
    const { agent } = await createClient();
    expect((await agent.graphql(`{ ${fields.flat().join(" ")} }`)).status).toBe(200);
    await expectDebt(() => agent.graphql("{ __typename }"), 8_000_000);
  });

  it("of REST is charged for what it reads and does not say", async () => {
    const { ctx, rule } = await createOrderScene(world);
    await rule("allow");
    await Promise.all(Array.from({ length: 30 }, () => insertTestAgent(ctx)));
    const key = await createKeyWith(world.server, ctx.workspaceId, ["agent_commands:write"]);
    const agent = createTestClient(limited.url, key);
    const order = { selector: { kind: "software" }, type: "custom.open" };
    const { status, text } = await agent.post("/api/v1/operator/agent_commands", order);
    expect(status).toBe(202);
    expect(text.length).toBeLessThan(BYTES_PER_REQUEST);
    await expectDebt(() => agent.get("/api/v1/whoami"), 30 * BYTES_PER_REQUEST);
  });

  it("of a socket is charged", async () => {
    const { key, agent } = await createClient();
    const { text } = await world.agent.graphql("{ tasks(first: 4) { nodes { input } } }");
    const socket = await agentSocket(limited.url, key);
    socket.send({
      type: "subscribe",
      id: "big",
      payload: { query: "{ tasks(first: 4) { nodes { input } } }" },
    });
    await socket.until(({ type }) => type === "complete");
    await expectDebt(() => agent.get("/api/v1/whoami"), text.length);
    socket.socket.close();
  });

  it("is charged for a whole list that is streamed", async () => {
    const { workspaceId } = await world.another();
    await insertRobots(world.server.systemCtx(workspaceId), { count: 300, errorBytes: 4000 });
    const { agent } = await createClient(workspaceId);
    const { status, text } = await agent.get("/api/v1/operator/robots");
    expect([status, text.length > 1_000_000]).toEqual([200, true]);
    await expectDebt(() => agent.get("/api/v1/whoami"), text.length);
  });

  it("of SCIM is charged", async () => {
    const { idp, limitedIdp } = await createIdps();
    const title = "t".repeat(1000);
    const emails = Array.from({ length: 90 }, (_, n) => ({
      value: `${n}@${"d".repeat(60)}.example`,
      display: title,
    }));
    for (let made = 0; made < 10; made++) {
      expect((await idp.post("/Users", userBody({ emails }))).status).toBe(201);
    }
    const { status, text } = await limitedIdp.get("/Users");
    expect([status, text.length > 500_000]).toEqual([200, true]);
    await expectDebt(() => limitedIdp.get("/Users"), text.length);
  });
});

describe("a Bulk", () => {
  it("counts each of its operations before they run", async () => {
    const node = await startOn(world.server.database, { RATE_LIMIT: "50" });
    const { scimToken } = await world.another();
    const idp = createIdp(world.server.url, scimToken);
    const limitedIdp = createIdp(node.url, scimToken);
    async function sendBulk(): Promise<number> {
      const Operations = Array.from({ length: 30 }, () => ({
        ...{ method: "POST", path: "/Users", bulkId: randomUUID(), data: userBody() },
      }));
      return (await limitedIdp.post("/Bulk", { schemas: [URN.bulk], Operations })).status;
    }
    let allowed = 0;
    async function sendTwo(): Promise<number[]> {
      const statuses = await Promise.all([sendBulk(), sendBulk()]);
      allowed += statuses.filter((status) => status === 200).length;
      return statuses.toSorted((one, other) => one - other);
    }
    // Repeated if a second ended in between.
    await expect.poll(sendTwo, { timeout: 20_000 }).toEqual([200, 429]);
    expect((await idp.get("/Users?count=0")).body.totalResults).toBe(30 * allowed);
    await node.stop();
  });
});

/** An identity provider on both nodes. */
async function createIdps(): Promise<{ idp: Idp; limitedIdp: Idp }> {
  const { scimToken } = await world.another();
  return { idp: createIdp(world.server.url, scimToken), limitedIdp: createIdp(limited.url, scimToken) };
}
