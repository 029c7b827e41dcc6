import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import { writeTextFrames } from "./write-text-frames.ts";

/**
 * Events bypass ws: their frames are written directly to the socket's stream, many in one write. This relies on:
 *
 * - ws writes each of its own frames immediately and whole, so ours can be written between them. It does so without
 *   compression and blobs. `canBypassWs` checks this when the server starts.
 * - `writableLength` and `writableNeedDrain` of the stream include both kinds of frames.
 *
 * Otherwise each event is a `send` of ws, which takes several times the CPU.
 *
 * @see docs/decisions/0009-live-delivery.md
 */
export type TextWriter = (before: Buffer, bodies: readonly Buffer[]) => void;

const AFTER = Buffer.from("}");

/** Creates a writer of texts, each of `before`, a body and `}`, to a socket or its stream. */
export function createTextWriter(socket: WebSocket, stream: Duplex, isBypassed: boolean): TextWriter {
  if (isBypassed && socket.extensions === "") {
    return (before, bodies) => stream.write(writeTextFrames(before, bodies, AFTER));
  }
  return (before, bodies) => {
    for (const body of bodies) socket.send(Buffer.concat([before, body, AFTER]), { binary: false });
  };
}

/** Whether frames can be written between those of a ws server with these options. */
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
