import { mkdtemp, rm } from "node:fs/promises";
import { type Socket, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/config/logger.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import type { Unread } from "../../src/http/unsent-answers.ts";
import { startServer } from "../../src/server.ts";
import { createKeyWith } from "../support/callers.ts";
import { createTestClient } from "../support/test-client.ts";
import { openHttpSocket } from "../support/http-socket.ts";
import { lockTable } from "../support/locked-table.ts";
import { PATIENCE } from "../support/patience.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

/** The maximum size of a page of messages, which these pages almost reach. */
const PAGE_BYTES = 4_194_304;
const PAGES = 6;

let world: TestWorld;
let dataDir: string;

beforeAll(async () => {
  world = await createWorld();
  dataDir = await mkdtemp(path.join(tmpdir(), "agent-ops-test-"));
  for (let nth = 0; nth < 17; nth++) {
    await sendMessage(world.ctx, { parts: [{ text: "x".repeat(250_000) }] });
  }
});

afterAll(async () => {
  await world.server.close();
  await rm(dataDir, { recursive: true });
});

/** Starts another server on the same database. */
async function startNode(unread: Unread) {
  const logged: string[] = [];
  const log = createLogger("debug", { write: (line: string) => void logged.push(line) });
  const config = readConfig({ DATABASE_URL: world.server.database.url, DATA_DIR: dataDir, PORT: "0" });
  const node = await startServer(config, log, { tellsPresence: false, unread });
  const cutOff = () => logged.filter((line) => line.includes("disconnected"));
  const answered = (path: string) => logged.filter((line) => line.includes(`"path":"${path}"`));
  return { ...node, cutOff, answered };
}

function get(target: string, bearer = world.apiKey): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bearer}\r\n\r\n`;
}

/** Sends requests on a connection without reading the responses. Default: large pages. */
function askAndStall(url: string, requests = get("/api/v1/messages?limit=100").repeat(PAGES)): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.pause();
  socket.write(requests);
  return socket;
}

/** Reads the rest of a connection. @returns the number of bytes. */
async function readRest(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  await new Promise((resolve) => socket.once("close", resolve).resume());
  return bytes;
}

describe("a client that doesn't read its responses", () => {
  it("is disconnected after a while", async () => {
    const node = await startNode({ timeoutMs: 2000, maxBytes: Infinity });
    const socket = askAndStall(node.url);
    await expect.poll(node.cutOff, PATIENCE).toHaveLength(1);
    expect(node.cutOff()[0]).toContain("read nothing");
    expect(await readRest(socket)).toBeLessThan(PAGES * PAGE_BYTES);
    await node.stop();
  });

  it("is disconnected at once if too much is unread, and no other client", async () => {
    const node = await startNode({ timeoutMs: 60_000, maxBytes: 2.2 * PAGE_BYTES });
    const other = await createKeyWith(world.server, world.workspaceId, ["messages:read"]);
    const sockets = Array.from({ length: 8 }, () => askAndStall(node.url));
    const { status, body } = await createTestClient(node.url, other).get("/api/v1/messages?limit=100");
    expect([status, body.messages.length > 10]).toEqual([200, true]);
    await expect.poll(node.cutOff, PATIENCE).not.toHaveLength(0);
    expect(node.cutOff()[0]).toContain("too much");
    expect(await Promise.race(sockets.map(readRest))).toBeLessThan(PAGES * PAGE_BYTES);
    for (const socket of sockets) socket.destroy();
    await node.stop();
  });
});

describe("unauthenticated clients that don't read their responses", () => {
  it("are disconnected before an authenticated one, whatever credentials they claim", async () => {
    const node = await startNode({ timeoutMs: 60_000, maxBytes: 3 * PAGE_BYTES });
    const slow = askAndStall(node.url);
    await expect.poll(() => node.answered("/api/v1/messages").length, PATIENCE).toBeGreaterThan(0);
    const others = Array.from({ length: 30 }, (_, nth) =>
      askAndStall(node.url, get("/api/v1/openapi.json", `agk_${nth}`).repeat(20)),
    );
    await expect.poll(() => node.cutOff().length, PATIENCE).toBeGreaterThan(3);
    let bytes = 0;
    slow.on("data", (chunk: Buffer) => (bytes += chunk.length)).resume();
    await expect.poll(() => bytes, PATIENCE).toBeGreaterThan((PAGES - 1) * PAGE_BYTES);
    for (const socket of [slow, ...others]) socket.destroy();
    await node.stop();
  });
});

describe("pipelined requests", () => {
  it("are processed one after the other, in order", async () => {
    const { server, agent } = world;
    const socket = await openHttpSocket(server.url);
    const messages = await lockTable(server.database, "message");
    socket.write(get("/api/v1/messages?limit=1").repeat(3) + get("/api/v1/whoami") + get("/healthz"));
    await messages.waiters(1);
    expect((await agent.get("/api/v1/tasks?limit=1")).status).toBe(200);
    expect(await messages.waiters(1)).toHaveLength(1);
    await messages.release();
    await socket.until('"ok"');
    socket.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const answered = await socket.ended;
    const statuses = [...answered.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(["200", "200", "200", "200", "200", "404"]);
  });
});
