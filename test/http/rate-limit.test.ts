import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { agentSocket } from "../support/socket-client.ts";
import { PATIENCE } from "../support/patience.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const LIMIT = 1000;
let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({ RATE_LIMIT: String(LIMIT) });
});

afterAll(() => world.server.close());

describe("the rate limit", () => {
  it("is shared by a credential's HTTP requests and sockets", async () => {
    const socket = await agentSocket(world.server.url, world.apiKey);
    async function leftAfterSocket(): Promise<number> {
      for (let id = 0; id < 5; id++) {
        socket.send({ type: "subscribe", id: `${id}`, payload: { query: "{ viewer { scopes } }" } });
      }
      const seen = socket.messages.length;
      await expect.poll(() => socket.messages.length).toBeGreaterThanOrEqual(seen + 10);
      const { headers } = await world.agent.get("/api/v1/whoami");
      return Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    }
    // Repeated if a second ended in between.
    await expect.poll(leftAfterSocket, { timeout: 20_000 }).toBeLessThanOrEqual(LIMIT - 6);
    socket.socket.close();
  });
});

describe("the limits of GraphQL", () => {
  it("are shared by HTTP and sockets for introspection", async () => {
    const socket = await agentSocket(world.server.url, world.apiKey);
    const query = "{ __schema { queryType { name } } }";
    let id = 0;
    async function countAnswered(): Promise<number> {
      const seen = socket.messages.length;
      for (const last = id + 2; id < last; id++) {
        socket.send({ type: "subscribe", id: `schema${id}`, payload: { query } });
      }
      const over = await Promise.all([world.agent.graphql(query), world.agent.graphql(query)]);
      const getNewMessages = () => socket.messages.slice(seen);
      // An error is one message, a result two.
      await expect
        .poll(() => getNewMessages().filter(({ type }) => type !== "next"), PATIENCE)
        .toHaveLength(2);
      return (
        over.filter(({ status }) => status === 200).length +
        getNewMessages().filter(({ type }) => type === "next").length
      );
    }
    // Repeated if a second ended in between.
    await expect.poll(countAnswered, { timeout: 20_000 }).toBe(2);
    socket.socket.close();
  });

  it("are shared for the time to parse new documents", async () => {
    const socket = await agentSocket(world.server.url, world.apiKey);
    const cpuUsage = vi.spyOn(process, "cpuUsage").mockImplementation((before) => ({
      user: before === undefined ? 0 : 30_000_000,
      system: 0,
    }));
    expect((await world.agent.graphql("{ viewer { __typename scopes } }")).status).toBe(200);
    cpuUsage.mockRestore();
    socket.send({ type: "subscribe", id: "new", payload: { query: "{ viewer { __typename } }" } });
    expect((await world.agent.graphql("{ viewer { __typename } }")).status).toBe(429);
    await expect.poll(() => JSON.stringify(socket.messages), PATIENCE).toContain("RATE_LIMITED");
    socket.socket.close();
  });
});
