import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import { writeTextFrames } from "./write-text-frames.ts";

/**
 * Events bypass ws: their frames are written to the stream under the socket, many in one write. What this relies on:
 *
 * - ws writes each of its own frames at once and whole, so that ours stand between them. It does while it neither
 *   compresses nor sends blobs. `canBypassWs` tries it when the server starts.
 * - `writableLength` and `writableNeedDrain` of the stream are what waits to be sent, ours and theirs.
 *
 * Without it each event is a `send` of ws, which costs several times the CPU.
 *
 * @see docs/decisions/0009-live-delivery.md
 */
export type TextWriter = (before: Buffer, bodies: readonly Buffer[]) => void;

const AFTER = Buffer.from("}");

/** Writes texts, each of them `before`, a body and `}`, to a socket and the stream that it was upgraded from. */
export function createTextWriter(socket: WebSocket, stream: Duplex, isBypassed: boolean): TextWriter {
  if (isBypassed && socket.extensions === "") {
    return (before, bodies) => stream.write(writeTextFrames(before, bodies, AFTER));
  }
  return (before, bodies) => {
    for (const body of bodies) socket.send(Buffer.concat([before, body, AFTER]), { binary: false });
  };
}

/** Whether a server of ws with these options leaves frames whole that are written between its own. */
export function canBypassWs(options: ServerOptions): boolean {
  const written: Buffer[] = [];
  const stream = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk);
      done();
    },
  });
  const [first, between, last] = [createFrame("first"), createFrame("between"), createFrame("last")];
  let isWhole = false;
  new WebSocketServer({ ...options, noServer: true }).handleUpgrade(
    createUpgradeRequest(),
    stream,
    Buffer.alloc(0),
    (socket) => {
      written.length = 0;
      socket.send("first}");
      stream.write(between);
      socket.send("last}");
      isWhole = Buffer.concat(written).equals(Buffer.concat([first, between, last]));
      socket.terminate();
    },
  );
  return isWhole;
}

function createFrame(text: string): Buffer {
  return writeTextFrames(Buffer.from(text), [Buffer.alloc(0)], AFTER);
}

function createUpgradeRequest(): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), {
    method: "GET",
    url: "/",
    headers: {
      upgrade: "websocket",
      connection: "Upgrade",
      "sec-websocket-version": "13",
      "sec-websocket-key": Buffer.alloc(16).toString("base64"),
      "sec-websocket-extensions": "permessage-deflate",
    },
  });
}
