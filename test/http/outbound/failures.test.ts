import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Outbound, createOutbound } from "../../../src/http/outbound/outbound.ts";
import { GET, findError, readText, serve, serveRaw } from "../../support/outbound-scene.ts";

let outbound: Outbound;
beforeEach(() => {
  outbound = createOutbound(["127.0.0.0/8"]);
});
afterEach(() => outbound.close());

describe("createOutbound, when an answer does not come", () => {
  it("knows whether anything was sent", async () => {
    const gone = await serve(() => {});
    await gone.close();
    expect(await findError(outbound.send(gone.url, GET))).toMatchObject({ reason: "connect", isSent: false });
    const { url } = await serve((request) => request.socket.destroy());
    expect(await findError(outbound.send(url, GET))).toMatchObject({ reason: "broken", isSent: true });
  });

  it("takes a kept connection that the server has closed as sent", async () => {
    let requests = 0;
    const { url } = await serve((request, response) => {
      if (++requests === 1) response.end("ok");
      else request.socket.resetAndDestroy();
    });
    await readText(outbound, url);
    expect(await findError(outbound.send(url, GET))).toMatchObject({ reason: "broken", isSent: true });
  });

  it("sends nothing by https to a server without TLS", async () => {
    const { url } = await serveRaw((socket) => socket.end("not TLS"));
    const error = await findError(outbound.send(url.replace("http:", "https:"), GET));
    expect(error).toMatchObject({ reason: "connect", isSent: false });
  });

  it.each([
    ["silent", () => {}, { firstByteMs: 100 }],
    [
      "slow with its head",
      (socket: Socket) => drip(socket, "HTTP/1.1 200 OK\r\nx-a: "),
      { firstByteMs: 100 },
    ],
    [
      "sending early hints for ever",
      (socket: Socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
      {
        firstByteMs: 100,
      },
    ],
    ["silent within its answer", (socket: Socket) => socket.write(HEAD), { silenceMs: 100 }],
    ["slow within its answer", (socket: Socket) => drip(socket, "1\r\nx\r\n", HEAD), { wholeMs: 300 }],
  ])("gives up on a server that is %s", async (_what, onConnection, limits) => {
    const { url } = await serveRaw(onConnection);
    const error = await findError(readText(outbound, url, { ...GET, limits }));
    expect(error).toMatchObject({ reason: "timeout", isSent: true });
  });

  it.each([
    ["garbage", "\0\x01garbage\r\n\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a head of 100 kB", `HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(100_000)}\r\n\r\n`],
    ["a broken chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
    ["less than it has said", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort"],
    ["compressed bytes", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 1\r\n\r\n\x1f"],
  ])("fails on %s", async (_what, text) => {
    const { url } = await serveRaw((socket) => socket.end(text, "latin1"));
    const error = await findError(readText(outbound, url));
    expect(error).toMatchObject({ reason: "broken", isSent: true });
  });

  it("reads no more than allowed of an endless answer", async () => {
    let written = 0;
    const { url } = await serve((_request, response) => {
      const write = () => {
        while (response.write(Buffer.alloc(65_536))) written += 65_536;
      };
      response.on("drain", write);
      write();
    });
    const request = { ...GET, limits: { answerBytes: 1_000_000 } };
    expect(await findError(readText(outbound, url, request))).toMatchObject({ reason: "too large" });
    expect(written).toBeLessThan(20_000_000);
  });

  it.each([
    ["heads of 1xx", "HTTP/1.1 103 Early Hints\r\n\r\n"],
    ["blank lines", "\r\n"],
  ])("gives up on a server that sends %s as fast as it can", async (_what, part) => {
    let written = 0;
    const parts = part.repeat(30_000 / part.length);
    const { url } = await serveRaw((socket) => {
      const write = () => {
        while (!socket.destroyed && socket.write(parts)) written += parts.length;
      };
      socket.on("drain", write);
      socket.once("data", write);
    });
    const request = { ...GET, limits: { firstByteMs: 10_000 } };
    expect(await findError(outbound.send(url, request))).toMatchObject({
      reason: "too large",
      isSent: true,
      message: "The server sent more than 65536 bytes before its answer.",
    });
    expect(written).toBeLessThan(40_000_000);
  });

  it("passes over a few heads of 1xx", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100);
    const { url } = await serveRaw((socket) => socket.end(`${hints}HTTP/1.1 200 OK\r\n\r\nok`));
    expect(await readText(outbound, url)).toBe("ok");
  });

  it("reads no answer in many small parts", async () => {
    const { url } = await serveRaw((socket) => socket.end(`${HEAD}${"1\r\nx\r\n".repeat(40_000)}0\r\n\r\n`));
    const read = (answerBytes: number) => readText(outbound, url, { ...GET, limits: { answerBytes } });
    expect(await findError(read(1_000_000))).toMatchObject({
      reason: "too large",
      message: "The answer has too many small parts.",
    });
    expect(await read(4_000_000)).toHaveLength(40_000);
  });

  it("ends when its caller gives up, before and within the answer", async () => {
    const before = new AbortController();
    const silent = await serve(() => before.abort());
    const error = await findError(outbound.send(silent.url, { ...GET, signal: before.signal }));
    expect(error).toMatchObject({ reason: "aborted", isSent: true });
    const within = new AbortController();
    const { url } = await serve((_request, response) => void response.write("part"));
    const { body } = await outbound.send(url, { ...GET, signal: within.signal });
    const read = (async () => {
      for await (const _part of body) within.abort();
    })();
    expect(await findError(read)).toMatchObject({ reason: "aborted", isSent: true });
    const never = await findError(outbound.send(url, { ...GET, signal: AbortSignal.abort() }));
    expect(never).toMatchObject({ reason: "aborted", isSent: false });
  });

  it("closes the connection of an answer that is discarded or not read to its end", async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serve((request, response) => {
      closed.push(new Promise((resolve) => request.socket.once("close", resolve)));
      response.write("part");
    });
    (await outbound.send(url, GET)).discard();
    const { body } = await outbound.send(url, GET);
    for await (const _part of body) break;
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });
});

const HEAD = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Writes a text again and again. */
function drip(socket: Socket, text: string, first = ""): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(text), 20);
  socket.once("close", () => clearInterval(timer));
}
