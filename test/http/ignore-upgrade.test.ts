import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHttpSocket } from "../support/http-socket.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const H2C = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";

describe("a request with an unsupported Upgrade", () => {
  it("gets a normal response, and its connection stays open", async () => {
    const socket = await openHttpSocket(world.server.url);
    const body = JSON.stringify({ title: "Asked for with h2c" });
    const bearer = `Authorization: Bearer ${world.apiKey}\r\n`;
    const head = `Host: 127.0.0.1\r\n${bearer}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n${H2C}\r\n`);
    await socket.until('{"status":"ok"}');
    socket.write(`POST /api/v1/tasks HTTP/1.1\r\n${head}${H2C}\r\n${body}`);
    await socket.until("Asked for with h2c");
    socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    const answered = await socket.ended;
    expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 201", "HTTP/1.1 200"]);
  });
});
