import { once } from "node:events";
import { type Server, type ServerResponse, createServer } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type WaitingConnections, limitConnections } from "../../src/http/limit-connections.ts";
import { PATIENCE } from "../support/patience.ts";

let server: Server;
let held: ServerResponse[] = [];

afterEach(() => {
  server.closeAllConnections();
  server.close();
  held = [];
});

/** A server that answers everything but `/held`, whose answers it keeps. */
async function listen(limits: WaitingConnections): Promise<void> {
  server = createServer((request, response) => {
    if (request.url === "/held") held.push(response);
    else request.on("end", () => response.end("answered")).resume();
  });
  limitConnections(server, limits, (ip) => ip ?? "");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function open(localAddress = "127.0.0.1"): Promise<Socket> {
  // A server that listens on a TCP port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  await once(socket, "connect");
  return socket;
}

function ask(socket: Socket, path: string, bodyLength = 0): void {
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyLength}\r\n\r\n`);
}

async function closed(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.closed) await once(socket, "close");
}

async function expectAnswer(socket: Socket): Promise<void> {
  ask(socket, "/");
  const [answer] = await once(socket, "data");
  expect(String(answer)).toContain("200 OK");
}

describe("connections that wait for their clients", () => {
  it("are closed above the limit of their address, those first that have waited longest", async () => {
    await listen({ all: 100, address: 2 });
    const other = await open("127.0.0.2");
    const [first, second] = [await open(), await open()];
    await expectAnswer(first);
    const third = await open();
    await closed(second);
    for (const socket of [other, first, third]) await expectAnswer(socket);
  });

  it("are closed above the limit of the node", async () => {
    await listen({ all: 2, address: 2 });
    const first = await open("127.0.0.2");
    const [second, third] = [await open(), await open()];
    await closed(first);
    for (const socket of [second, third]) await expectAnswer(socket);
  });

  it("include those whose request has not arrived", async () => {
    await listen({ all: 100, address: 2 });
    const slow = await open();
    ask(slow, "/", 4);
    const others = [await open(), await open()];
    await closed(slow);
    for (const socket of others) await expectAnswer(socket);
  });

  it("don't include those whose request is being answered, until it is", async () => {
    await listen({ all: 100, address: 1 });
    const polling = await open();
    ask(polling, "/held");
    await expect.poll(() => held, PATIENCE).toHaveLength(1);
    const waiting = await open();
    await expectAnswer(waiting);
    held[0]?.end("at last");
    const [answer] = await once(polling, "data");
    expect(String(answer)).toContain("at last");
    await closed(waiting);
  });
});
