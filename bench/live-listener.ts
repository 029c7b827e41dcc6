/**
 * Opens many sockets in one process and only counts what arrives, so that clients don't dominate the load. Started
 * with an IPC channel; see {@link ListenerOrder} and {@link Report}.
 */
import { randomBytes } from "node:crypto";
import { type Socket, connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Requests from the bench. */
export type ListenerOrder =
  | { do: "connect"; url: string; path: string; protocol: string | null; first: string[][] }
  | { do: "send"; text: string; answers: number }
  /** Drops all sockets. */
  | { do: "drop" }
  | { do: "expect"; frames: number };

/** The response. `latencies` are of frames that contain their creation time, in milliseconds. */
export type Report = { done: ListenerOrder["do"]; tookMs: number; latencies: number[] };

/** Smaller frames are keep-alives. */
const SMALL = 120;

const PAUSE_MS = 120;
const PING = 9;
/** Without pongs, a server closes the socket. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

const sockets: Socket[] = [];
let large = 0;
let any = 0;
let latencies: number[] = [];
let waiting: { isOver: () => boolean; tell: () => void } | null = null;

process.on("message", (order: ListenerOrder) => {
  obey(order).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});

async function obey(order: ListenerOrder): Promise<void> {
  const started = performance.now();
  if (order.do === "connect") {
    for (let at = 0; at < order.first.length; at += 100) {
      const batch = order.first.slice(at, at + 100);
      sockets.push(...(await Promise.all(batch.map((first) => open(order, first)))));
      // A server may accept only a limited number of sockets per second.
      await pause(PAUSE_MS);
    }
  } else if (order.do === "send") {
    any = 0;
    for (const socket of sockets) socket.write(maskFrame(order.text));
    await waitUntil(() => any >= order.answers);
  } else if (order.do === "drop") {
    await Promise.all(sockets.map(disconnect));
    sockets.length = 0;
  } else {
    await waitUntil(() => large >= order.frames);
  }
  const report: Report = { done: order.do, tookMs: performance.now() - started, latencies };
  if (order.do === "expect") [large, latencies] = [0, []];
  process.send?.(report);
}

function disconnect(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
    socket.destroy();
  });
}

function waitUntil(isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isOver()) return resolve();
    waiting = { isOver, tell: resolve };
  });
}

/** Opens a socket and sends the first messages, each after the response to the one before. */
function open(
  { url, path, protocol }: Extract<ListenerOrder, { do: "connect" }>,
  first: string[],
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let left = [...first];
    let rest: Buffer = Buffer.alloc(0);
    let upgraded = false;
    socket.on("error", reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n` +
        `${protocol === null ? "" : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
    );
    function goOn(): void {
      const [next, ...others] = left;
      left = others;
      if (next === undefined) resolve(socket);
      else socket.write(maskFrame(next));
    }
    socket.on("data", (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!upgraded) {
        const end = rest.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!rest.subarray(0, 12).toString().endsWith("101")) return reject(new Error(rest.toString()));
        rest = rest.subarray(end + 4);
        upgraded = true;
        goOn();
      }
      rest = count(rest, (opcode) => {
        if (opcode === PING) return void socket.write(PONG);
        if (left.length > 0) goOn();
        else resolve(socket);
      });
    });
  });
}

/** Counts complete frames. @returns the remaining bytes. */
function count(bytes: Buffer, came: (opcode: number) => void): Buffer {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const short = bytes[at + 1] ?? 0;
    const header = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (at + header > bytes.length) break;
    const length =
      short < 126
        ? short
        : short === 126
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    const end = at + header + length;
    if (end > bytes.length) break;
    any++;
    if (length >= SMALL) {
      large++;
      // Only one in eight is parsed, so that parsing isn't what is measured.
      if (large % 8 === 0) look(bytes.subarray(at + header, end));
    }
    came((bytes[at] ?? 0) & 0x0f);
    at = end;
  }
  if (waiting?.isOver() === true) {
    waiting.tell();
    waiting = null;
  }
  return bytes.subarray(at);
}

function look(payload: Buffer): void {
  const start = payload.indexOf('"at":');
  if (start < 0) return;
  const at = Number.parseFloat(payload.subarray(start + 5, start + 22).toString());
  latencies.push(performance.timeOrigin + performance.now() - at);
}

/** A text frame masked with zeros, which servers accept. */
function maskFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(body.length < 126 ? 6 : 8);
  header[0] = 0x81;
  header[1] = 0x80 | (body.length < 126 ? body.length : 126);
  if (body.length >= 126) header.writeUInt16BE(body.length, 2);
  return Buffer.concat([header, body]);
}
