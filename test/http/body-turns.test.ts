import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEAST_BYTES, TURN_BYTES, createBodyTurns } from "../../src/http/body-turns.ts";
import { createHeldBodies } from "../../src/http/held-bodies.ts";
import { limitBody } from "../../src/http/limit-body.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import { openHttpSocket } from "../support/http-socket.ts";
import { countLoopTurns } from "../support/loop-turns.ts";

/** The most bytes of bodies that were started in one turn. */
function findLargestTurn(started: readonly { turn: number; bytes: number }[]): number {
  const byTurn = new Map<number, number>();
  for (const { turn, bytes } of started) byTurn.set(turn, (byTurn.get(turn) ?? 0) + bytes);
  return Math.max(...byTurn.values());
}

describe("the turns of bodies", () => {
  it("start few of those that have arrived together in one turn of the event loop", async () => {
    const takeTurn = createBodyTurns();
    const turns = countLoopTurns();
    const started: { turn: number; bytes: number }[] = [];
    const bytes = 20_000;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        await takeTurn("one", bytes);
        started.push({ turn: turns.current(), bytes });
      }),
    );
    turns.stop();
    expect(started).toHaveLength(50);
    expect(findLargestTurn(started)).toBeLessThan(TURN_BYTES + bytes);
  });

  it("start a limited number of small ones in one turn", async () => {
    const takeTurn = createBodyTurns();
    const turns = countLoopTurns();
    const started: { turn: number; bytes: number }[] = [];
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        await takeTurn("one", 1);
        started.push({ turn: turns.current(), bytes: LEAST_BYTES });
      }),
    );
    turns.stop();
    expect(started).toHaveLength(100);
    expect(findLargestTurn(started)).toBeLessThan(TURN_BYTES + LEAST_BYTES);
  });

  it("alternate between holders", async () => {
    const takeTurn = createBodyTurns();
    const order: string[] = [];
    const take = async (holder: string) => {
      await takeTurn(holder, TURN_BYTES);
      order.push(holder);
    };
    await Promise.all([...Array.from({ length: 20 }, () => take("greedy")), take("other")]);
    expect(order.indexOf("other")).toBeLessThan(3);
    expect(order).toHaveLength(21);
  });

  it("start a body at once that comes alone, whatever came before", async () => {
    const takeTurn = createBodyTurns();
    for (let round = 0; round < 3; round++) {
      const turns = countLoopTurns();
      await takeTurn("one", TURN_BYTES);
      expect(turns.current()).toBe(0);
      turns.stop();
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});

describe("bodies that end at the same moment", () => {
  const started: { turn: number; bytes: number }[] = [];
  const turns = countLoopTurns();
  const app = new Hono<HttpEnv>();
  let server: Server;

  beforeAll(async () => {
    const createError = () => new Error("the body was rejected");
    const limit = { maxBytes: TURN_BYTES, holdBody: createHeldBodies(64 * TURN_BYTES), createError };
    app.use(limitBody<HttpEnv>({ ...limit, getHolder: () => "one" }));
    app.post("/", async (c) => {
      const { length: bytes } = await c.req.text();
      started.push({ turn: turns.current(), bytes });
      return c.body(null, 204);
    });
    server = createAdaptorServer({ fetch: app.fetch }) as Server;
    await once(server.listen(0, "127.0.0.1"), "listening");
  });

  afterAll(() => {
    turns.stop();
    server.close();
  });

  it.each([
    ["Content-Length: 20000", "x".repeat(20_000), 20_000],
    ["Transfer-Encoding: chunked", `4e20\r\n${"x".repeat(20_000)}\r\n0\r\n\r\n`, 20_000],
    ["Content-Length: 10", "x".repeat(10), LEAST_BYTES],
  ])("are processed in several turns of the event loop: %s", async (framing, body, counted) => {
    started.length = 0;
    // A server that listens on a TCP port has this kind of address.
    const { port } = server.address() as AddressInfo;
    const sockets = await Promise.all(
      Array.from({ length: 30 }, () => openHttpSocket(`http://127.0.0.1:${port}`)),
    );
    for (const socket of sockets) {
      socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${framing}\r\n\r\n`);
      socket.write(body.slice(0, -1));
    }
    // What a server has read, it has read in the order in which it came.
    const last = await openHttpSocket(`http://127.0.0.1:${port}`);
    last.write("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    await last.ended;
    for (const socket of sockets) socket.write(body.slice(-1));
    const answers = await Promise.all(sockets.map(({ ended }) => ended));
    expect(answers.every((answer) => answer.startsWith("HTTP/1.1 204 "))).toBe(true);
    expect(started).toHaveLength(31);
    const spread = started.map(({ turn, bytes }) => ({ turn, bytes: bytes === 0 ? 0 : counted }));
    expect(findLargestTurn(spread)).toBeLessThan(TURN_BYTES + counted);
  });
});
