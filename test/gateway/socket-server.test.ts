import { createHash } from "node:crypto";
import { IncomingMessage } from "node:http";
import { once } from "node:events";
import { Socket, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUpgradeGuard } from "../../src/gateway/upgrade-guard.ts";
import type { SocketConnection } from "../../src/gateway/socket-connection.ts";
import { openHttpSocket } from "../support/http-socket.ts";
import { buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import {
  agentSocket,
  connectSocket,
  nextFrame,
  openSocket,
  personSocket,
  socketToken,
  subscribe,
} from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;
let url: string;

beforeAll(async () => {
  world = await createWorld();
  ({ url } = world.server);
});

afterAll(() => world.server.close());

function isOpenOn(server: TestWorld["server"]): number {
  return server.services.live.connections.count().all;
}

async function narrowKey(): Promise<string> {
  const { body } = await world.agent.post("/api/v1/agent_tokens", { scopes: ["tasks:read"] });
  return body.token;
}

describe("the socket server", () => {
  it("accepts an agent's socket token under each of its names", async () => {
    for (const name of ["token", "socket_token", "authorization"]) {
      const token = await socketToken(url, world.apiKey);
      const init = { [name]: name === "authorization" ? `Bearer ${token}` : token };
      const socket = await connectSocket(url, { init });
      expect(await socket.next()).toEqual({ type: "connection_ack" });
      socket.socket.close();
    }
  });

  it("accepts a user's session cookie", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "viewer" });
    const socket = await personSocket(url, buildCookie(await beginTestSession(world.server, person)));
    socket.send({ type: "subscribe", id: "q", payload: { query: "{ viewer { actor { uuid } } }" } });
    expect(await socket.next()).toMatchObject({
      payload: { data: { viewer: { actor: { uuid: person.id } } } },
    });
    subscribe(socket, "e");
    await socket.until(({ id, type }) => id === "e" && type === "next");
    socket.socket.close();
  });

  it("identifies a user's socket by the SHA-256 of the session's token", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "viewer" });
    const token = await beginTestSession(world.server, person);
    const socket = await personSocket(url, buildCookie(token));
    const id = createHash("sha256").update(token).digest("hex");
    const { connections } = world.server.services.live;
    expect([...connections.all()].map((connection) => connection.id)).toContain(id);
    expect(world.server.logged.filter((line) => line.includes(`"socket":"${id}"`))).toHaveLength(1);
    expect(world.server.logged.join("")).not.toContain(token);
    socket.socket.close();
  });

  it("closes with the documented codes", async () => {
    const person = await createPerson(world.server, world.workspaceId);
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const token = await socketToken(url, world.apiKey);
    const once = await socketToken(url, world.apiKey, { single_use: true });
    (await connectSocket(url, { init: { token: once } })).socket.close();
    const expired = await socketToken(url, world.apiKey);
    await world.server.database.query(
      "UPDATE socket_token SET expires_at = now() - interval '1 second' WHERE digest = sha256($1::bytea)",
      [expired],
    );
    const cases: [number, Parameters<typeof connectSocket>[1]][] = [
      [4401, {}],
      [4401, { init: {} }],
      [4401, { init: { token: "nonsense" } }],
      [4401, { init: { token: `ags_${"x".repeat(49)}` } }],
      [4401, { init: { token: world.scimToken } }],
      [4401, { init: { token: world.apiKey } }],
      [4401, { init: { authorization: `Bearer ${await narrowKey()}` } }],
      [4403, { init: { token: expired } }],
      [4403, { init: { token: once } }],
      [4400, { init: { token: 1 } }],
      [4400, { init: { token, socket_token: token } }],
      [4400, { init: { token }, headers: { cookie } }],
      [4401, { headers: { cookie: buildCookie("x".repeat(43)) } }],
      [4406, { protocol: "" }],
    ];
    for (const [code, opening] of cases) {
      const socket = await connectSocket(url, opening);
      expect((await socket.closed).code, JSON.stringify(opening)).toBe(code);
      expect(socket.messages).toEqual([]);
    }
  });

  it("closes an invalid session's socket before any message", async () => {
    const socket = await openSocket(url, { headers: { cookie: buildCookie("y".repeat(43)) } });
    expect((await socket.closed).code).toBe(4401);
  });

  it("rejects other origins, hosts and paths before the upgrade", async () => {
    const cases: [number, Parameters<typeof openSocket>[1]][] = [
      [403, { headers: { origin: "https://evil.example" } }],
      [403, { headers: { origin: "null" } }],
      [403, { headers: { origin: url.replace("127.0.0.1", "evil.example") } }],
      [404, { path: "/" }],
      [404, { path: "/graphql/" }],
    ];
    for (const [status, opening] of cases) {
      await expect(openSocket(url, opening), JSON.stringify(opening)).rejects.toMatchObject({ status });
    }
    const own = await openSocket(url, { headers: { origin: url } });
    own.socket.close();
  });

  it("requires an allowed Host for upgrades, whatever the request target", async () => {
    const guard = createUpgradeGuard({ publicBaseUrl: null, allowedHosts: ["ops.example.com"] });
    const status = (url: string, host?: string) => {
      const request = new IncomingMessage(new Socket());
      Object.assign(request, { url, headers: host === undefined ? {} : { host } });
      return guard(request) ?? 101;
    };
    expect(status("/graphql", "ops.example.com")).toBe(101);
    expect(status("/graphql?x=1", "OPS.example.com:4000")).toBe(101);
    for (const target of ["/graphql", "//ops.example.com/graphql", "/\\ops.example.com/graphql"]) {
      expect(status(target, "evil.example"), target).toBe(421);
    }
    expect(status("http://ops.example.com/graphql", "evil.example")).toBe(421);
    expect(status("/graphql", "a b")).toBe(400);
    expect(status("/graphql")).toBe(400);
    expect(status("//graphql", "ops.example.com")).toBe(404);
  });

  it("closes sockets that violate the protocol with its code", async () => {
    const early = await openSocket(url);
    subscribe(early, "x");
    expect((await early.closed).code).toBe(4401);
    const twice = await agentSocket(url, world.apiKey);
    twice.send({ type: "connection_init" });
    expect((await twice.closed).code).toBe(4429);
    const same = await agentSocket(url, world.apiKey);
    subscribe(same, "x");
    await nextFrame(same);
    subscribe(same, "x");
    expect((await same.closed).code).toBe(4409);
    const answers = ['{"type":"connection_ack"}', '{"type":"next","id":"x","payload":{"data":{}}}'];
    for (const text of ["{", "[]", '{"type":"nonsense"}', ...answers]) {
      const bad = await agentSocket(url, world.apiKey);
      bad.send(text);
      expect((await bad.closed).code).toBe(4400);
    }
    expect(
      world.server.logged.filter((line) => line.includes("a socket message could not be handled")),
    ).toEqual([]);
    const large = await agentSocket(url, world.apiKey);
    large.send({ type: "ping", payload: { x: "x".repeat(70_000) } });
    expect((await large.closed).code).toBe(1009);
    const silent = await openSocket(url);
    expect((await silent.closed).code).toBe(4408);
  });

  it("accepts only a small message before authentication", async () => {
    const long = await openSocket(url);
    long.send({ type: "ping", payload: { x: "x".repeat(4096) } });
    expect(await long.closed).toEqual({ code: 4400, reason: "bad_request" });
    const often = await openSocket(url);
    for (let n = 0; n < 11; n++) often.send({ type: "ping" });
    expect(await often.closed).toEqual({ code: 4400, reason: "bad_request" });
    expect(often.messages.length).toBeLessThanOrEqual(10);
    const known = await agentSocket(url, world.apiKey);
    known.send({ type: "ping", payload: { x: "x".repeat(4096) } });
    await known.until(({ type }) => type === "pong");
    known.socket.close();
  });

  it("allows 20 concurrent operations and rejects the next, and the socket stays open", async () => {
    const socket = await agentSocket(url, world.apiKey);
    for (let n = 0; n < 20; n++) subscribe(socket, `s${n}`);
    for (let n = 0; n < 20; n++) await socket.until(({ id, type }) => id === `s${n}` && type === "next");
    subscribe(socket, "s20");
    expect(await socket.until(({ id }) => id === "s20")).toMatchObject({
      type: "error",
      payload: [{ extensions: { code: "RATE_LIMITED" } }],
    });
    expect(socket.messages.filter(({ type }) => type === "error")).toHaveLength(1);
    // One that ends allows another.
    socket.send({ type: "complete", id: "s0" });
    subscribe(socket, "s21");
    await socket.until(({ id, type }) => id === "s21" && type === "next");
    socket.send({ type: "ping" });
    await socket.until(({ type }) => type === "pong");
    socket.socket.close();
  });

  it("allows 100 sockets per credential", async () => {
    const key = await world.agent.post("/api/v1/agent_tokens", { name: "Many sockets" });
    const token = await socketToken(url, key.body.token);
    const sockets = await Promise.all(
      Array.from({ length: 100 }, () => connectSocket(url, { init: { token } })),
    );
    await Promise.all(sockets.map((socket) => socket.next()));
    const late = await connectSocket(url, { init: { token } });
    expect(await late.closed).toEqual({
      code: 1013,
      reason: expect.stringMatching(/^too_many_sockets retryAfterMs=\d+$/),
    });
    for (const { socket } of sockets) socket.close();
    await Promise.all(sockets.map(({ closed }) => closed));
  });

  it("distinguishes addresses by the headers of trusted proxies", async () => {
    const behind = await createWorld({ TRUSTED_PROXIES: "127.0.0.0/8" });
    const socket = await openSocket(behind.server.url, { headers: { "x-forwarded-for": "203.0.113.7" } });
    // Every connection of a server is created by its socket server.
    const [connection] = [...behind.server.services.live.connections.all()] as SocketConnection[];
    expect(connection?.request.ip).toBe("203.0.113.7");
    socket.socket.terminate();
    await behind.server.close();
  });

  it("rejects an upgrade with no Host or two", async () => {
    const { hostname, port } = new URL(url);
    for (const hosts of [[], [""], ["127.0.0.1", "127.0.0.1"], ["a b"]]) {
      const socket = await openHttpSocket(url);
      const lines = [
        "GET /graphql HTTP/1.1",
        ...hosts.map((host) => `Host: ${host}`),
        ...["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
        ...["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: graphql-transport-ws"],
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      expect(await socket.ended, `${hostname}:${port} ${JSON.stringify(hosts)}`).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it("closes connections of rejected upgrades, so that it can stop", async () => {
    const other = await createWorld();
    const { hostname, port } = new URL(other.server.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    socket.resume();
    await once(socket, "end");
    await other.server.close();
    expect(socket.writable).toBe(true);
    socket.destroy();
  });

  it("forgets closed sockets", async () => {
    const before = isOpenOn(world.server);
    const socket = await agentSocket(url, world.apiKey);
    expect(isOpenOn(world.server)).toBe(before + 1);
    socket.socket.terminate();
    await expect.poll(() => isOpenOn(world.server)).toBeLessThanOrEqual(before);
  });
});
