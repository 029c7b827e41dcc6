import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentSocket } from "../support/socket-client.ts";
import { type World, createWorld } from "../support/world.ts";

const LIMIT = 1000;
let world: World;

beforeAll(async () => {
  world = await createWorld({ RATE_LIMIT: String(LIMIT) });
});

afterAll(() => world.server.close());

describe("the rate limit", () => {
  it("is one count for what a credential asks over HTTP and over its sockets", async () => {
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
    // Again where a second ended in between.
    await expect.poll(leftAfterSocket, { timeout: 20_000 }).toBeLessThanOrEqual(LIMIT - 6);
    socket.socket.close();
  });
});
