import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { Gauge, Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MetricsServer, startMetricsServer } from "../../src/http/metrics-server.ts";

let server: MetricsServer;
let rendered: number;
let sockets: Socket[];

beforeEach(async () => {
  const registry = new Registry();
  rendered = 0;
  sockets = [];
  const counted = { name: "counted", help: "Counts.", registers: [registry], collect: () => void rendered++ };
  void new Gauge(counted);
  server = await startMetricsServer(registry, { port: 0, host: "127.0.0.1" });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop();
});

async function open(): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {}).resume();
  await once(socket, "connect");
  return socket;
}

async function scrape(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}

describe("startMetricsServer", () => {
  it("serves the registry's metrics, one answer after the other", async () => {
    for (let count = 0; count < 3; count++) expect(await scrape()).toContain("counted");
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
  });

  it("closes connections that don't wait for answers, and does nothing for their other requests", async () => {
    const socket = await open();
    const closed = once(socket, "close");
    socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000));
    await closed;
    expect(rendered).toBe(1);
    expect(await scrape()).toContain("counted");
  });

  it("is not kept from answering by connections that ask nothing", async () => {
    const first = await open();
    const closed = once(first, "close");
    for (let count = 0; count < 300; count++) await open();
    await closed;
    expect(await scrape()).toContain("counted");
  });
});
