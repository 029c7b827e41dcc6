import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHeldBodies } from "../../src/http/held-bodies.ts";
import { type HttpSocket, openHttpSocket } from "../support/http-socket.ts";
import { lockTable } from "../support/locked-table.ts";
import { createTestClient } from "../support/test-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const MIB = 1_048_576;

describe("the budget for bodies", () => {
  it("is granted to callers that hold no more than what is left", () => {
    const hold = createHeldBodies(100);
    const taken = Array.from({ length: 5 }, () => hold("greedy", 10));
    expect(taken).not.toContain(null);
    expect(hold("greedy", 10)).toBeNull();
    expect(hold("next", 20)).not.toBeNull();
    expect(hold("next", 10)).toBeNull();
    for (const held of taken) held?.keep(0);
    expect(hold("next", 30)).not.toBeNull();
  });

  it("is returned for the unused part of a body", () => {
    const hold = createHeldBodies(100);
    hold("one", 50)?.keep(10);
    expect(hold("one", 40)).not.toBeNull();
    expect(hold("one", 10)).toBeNull();
  });

  it("is never exceeded", () => {
    const hold = createHeldBodies(100);
    expect(hold("one", 51)).toBeNull();
    const given = Array.from({ length: 50 }, (_, n) => hold(`holder ${n}`, 10)).filter((one) => one !== null);
    expect(given.length).toBeLessThanOrEqual(10);
    for (const held of given) held.keep(0);
    expect(hold("one", 50)).not.toBeNull();
  });
});

describe("slow bodies", () => {
  let world: TestWorld;
  const sockets: HttpSocket[] = [];

  beforeAll(async () => {
    world = await createWorld();
  });

  afterAll(() => world.server.close());

  /** Starts a request without sending its body. */
  async function begin(path: string, token: string, framing: string): Promise<HttpSocket> {
    const socket = await openHttpSocket(world.server.url);
    sockets.push(socket);
    const type = path.startsWith("/scim") ? "application/scim+json" : "application/json";
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`,
    );
    return socket;
  }

  it("use a limited budget of a node, and the next is rejected and its connection closed", async () => {
    const { apiKey, server, scimToken } = world;
    const other = await world.another();
    const held = Array.from({ length: 48 }, (_, n) =>
      begin(
        "/api/v1/messages",
        apiKey,
        n % 2 === 0 ? `Content-Length: ${MIB}` : "Transfer-Encoding: chunked",
      ),
    );
    const refused = await Promise.any((await Promise.all(held)).map(({ ended }) => ended));
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/\r\nretry-after: 2\r\n/i);
    expect(refused).toMatch(/\r\nconnection: close\r\n/i);
    expect(refused).toContain("Too many large requests at once.");
    expect(await (await begin("/graphql", apiKey, "Content-Length: 500000")).ended).toMatch(
      /^HTTP\/1\.1 503 /,
    );
    // Only agents wait for agents.
    const directory = createTestClient(server.url, scimToken);
    expect((await directory.post("/scim/v2/Users", { schemas: ["urn:none"] })).status).toBe(400);
    const message = { parts: [{ text: "x".repeat(200_000) }] };
    expect((await other.agent.post("/api/v1/messages", message)).status).toBe(201);
    for (const socket of sockets) socket.end();
    await expect.poll(async () => (await world.agent.post("/api/v1/messages", message)).status).toBe(201);
  });

  it("are released if the client leaves while it is authenticated", async () => {
    const { scimToken, server } = world;
    const start = () => begin("/scim/v2/Users", scimToken, `Content-Length: ${MIB}`);
    for (let round = 0; round < 10; round++) {
      const tokens = await lockTable(server.database, "scim_token");
      const clients = await Promise.all(Array.from({ length: 40 }, start));
      await tokens.waiters(1);
      for (const client of clients) client.end();
      await Promise.all(clients.map(({ ended }) => ended));
      await tokens.release();
    }
    const directory = createTestClient(server.url, scimToken);
    const post = async () => (await directory.post("/scim/v2/Users", { schemas: ["urn:none"] })).status;
    await expect.poll(post).toBe(400);
  });

  it("are counted by their actual size without Content-Length", async () => {
    const { server, apiKey } = world;
    const claims = Array.from({ length: 40 }, async () => {
      const socket = await begin("/api/v1/tasks/claim", apiKey, "Transfer-Encoding: chunked");
      const body = JSON.stringify({ wait: 25 });
      socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
      return socket;
    });
    await Promise.all(claims);
    await expect.poll(() => server.services.live.connections.count().all).toBeGreaterThanOrEqual(40);
  });
});
