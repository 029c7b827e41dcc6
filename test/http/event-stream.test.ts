import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { answerEvents, formatEvent } from "../../src/http/event-stream.ts";
import type { HttpEnv } from "../../src/http/request.ts";

/** More than the system takes of a connection that nobody reads. */
const LARGE = "x".repeat(16_777_216);

let server: ReturnType<typeof createAdaptorServer> | null = null;

afterEach(() => {
  if (server !== null && "closeAllConnections" in server) server.closeAllConnections();
  server?.close();
});

/** Starts a server with one event stream, and connects. Nothing is read until the socket is resumed. */
async function open(produce: Parameters<typeof answerEvents>[1]) {
  const app = new Hono<HttpEnv>();
  app.get("/", (c) => answerEvents(c, produce));
  const own = createAdaptorServer({ fetch: app.fetch });
  server = own;
  await once(own.listen(0, "127.0.0.1"), "listening");
  const address = own.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const socket = connect(address.port, "127.0.0.1").pause();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return socket;
}

describe("answerEvents", () => {
  it("waits until a slow client has taken what was sent", async () => {
    const steps: string[] = [];
    const written = new EventEmitter();
    const isWritten = once(written, "written");
    const socket = await open(async ({ write, untilRead }) => {
      write(formatEvent({ text: LARGE }));
      await untilRead();
      // Nothing has been read, so the event is still held.
      written.emit("written");
      steps.push("read");
    });
    const state = await Promise.race([
      isWritten.then(() => "read"),
      once(socket, "readable").then(() => "waiting"),
    ]);
    expect([state, steps]).toEqual(["waiting", []]);
    socket.resume();
    await isWritten;
    await once(socket, "close");
    expect(steps).toEqual(["read"]);
  });

  it("stops to wait when the client leaves", async () => {
    const over = new EventEmitter();
    const isOver = once(over, "over");
    const socket = await open(async ({ write, untilRead }) => {
      write(formatEvent({ text: LARGE }));
      await untilRead();
      over.emit("over");
    });
    await once(socket, "readable");
    socket.destroy();
    expect(await isOver).toEqual([]);
  });

  it("begins at once, and spells names and data", async () => {
    const socket = await open(async ({ write }) => {
      write(formatEvent({ a: "1\n2" }, "error"));
      write(formatEvent({ b: 1 }));
    });
    const text = Buffer.concat(await socket.toArray()).toString();
    expect(text).toContain(":\n\n");
    expect(text).toContain('event: error\ndata: {"a":"1\\n2"}\n\n');
    expect(text).toContain('data: {"b":1}\n\n');
  });
});
