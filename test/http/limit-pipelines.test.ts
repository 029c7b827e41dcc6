import { once } from "node:events";
import { type Server, type ServerResponse, createServer } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type OpenRequests, limitPipelines } from "../../src/http/limit-pipelines.ts";

let server: Server;
let held: ServerResponse[] = [];

afterEach(() => {
  server.closeAllConnections();
  server.close();
  held = [];
});

/** A server that keeps its answers. */
async function listen(limits: OpenRequests): Promise<void> {
  server = createServer((_request, response) => void held.push(response));
  limitPipelines(server, limits);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function open(): Promise<Socket> {
  // A server that listens on a TCP port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  return socket.resume();
}

async function ask(socket: Socket, count: number): Promise<void> {
  const before = held.length;
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count));
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(before + count);
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, "close");
}

describe("requests that don't wait for the answers before them", () => {
  it("close their connection above its limit", async () => {
    await listen({ connection: 3, waiting: 100 });
    const [one, other] = [await open(), await open()];
    await ask(one, 3);
    await ask(other, 1);
    one.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await closed(one);
    expect(other.closed).toBe(false);
  });

  it("close their connection above the limit of all, but none that waits for its answers", async () => {
    await listen({ connection: 100, waiting: 4 });
    const [one, other, patient] = [await open(), await open(), await open()];
    await ask(one, 3);
    await ask(other, 3);
    // Together with what is too much.
    other.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await ask(patient, 1);
    await closed(other);
    // What it had is free again.
    await ask(one, 2);
    expect([one.closed, patient.closed]).toEqual([false, false]);
  });

  it("don't count once they are answered", async () => {
    await listen({ connection: 3, waiting: 2 });
    const socket = await open();
    for (let round = 0; round < 3; round++) {
      await ask(socket, 3);
      const answered = held.map((response) => once(response, "close"));
      for (const response of held) response.end();
      await Promise.all(answered);
      held = [];
    }
    expect(socket.closed).toBe(false);
  });
});
