import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Peer, createPeer, createWire, newQueue } from "../../support/a2a.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let peer: Peer;

beforeAll(async () => {
  world = await createWorld();
  peer = await createPeer(world, "JSONRPC");
});

afterAll(() => world.server.close());

describe("GET /.well-known/agent-card.json", () => {
  it("is the same for all, and says where the bindings are", async () => {
    const { url } = world.server;
    const nobody = createTestClient(url);
    const { status, headers, body } = await nobody.get("/.well-known/agent-card.json");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(body).toMatchObject({
      name: "Agent Ops",
      supportedInterfaces: [
        { url: `${url}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url: `${url}/a2a/v1`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      ],
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
      skills: [{ id: "tasks" }],
    });
    const etag = headers.get("etag") ?? "";
    const again = await peer.plain.get("/.well-known/agent-card.json", { "if-none-match": etag });
    expect([again.status, again.headers.get("etag")]).toEqual([304, etag]);
    const posted = await nobody.post("/.well-known/agent-card.json", {});
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("is extended by the queues that a caller may write to", async () => {
    const queue = newQueue();
    await world.agent.post("/api/v1/tasks", { title: "A task", queue });
    const { agent: other } = await world.another();
    const foreign = newQueue();
    await other.post("/api/v1/tasks", { title: "A task", queue: foreign });
    const { rpc, http } = createWire(peer.plain);
    const { body: card } = await http.get("/extendedAgentCard");
    expect((await rpc("GetExtendedAgentCard")).body.result).toEqual(card);
    const ids = card.skills.map(({ id }: { id: string }) => id);
    expect(ids[0]).toBe("default");
    expect(ids).toContain(queue);
    expect(ids).not.toContain(foreign);
    const reader = createWire((await createPeer(world, "JSONRPC", ["tasks:read"])).plain);
    const { body: plain } = await reader.http.get("/extendedAgentCard");
    expect(plain.skills).toMatchObject([{ id: "tasks" }]);
  });
});
