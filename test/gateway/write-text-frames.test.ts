import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer, WebSocket as Client } from "ws";
import { writeTextFrames } from "../../src/gateway/write-text-frames.ts";

describe("textFrames", () => {
  it("writes texts of every length so that a client reads them as they were", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const texts = [0, 1, 124, 125, 126, 65_534, 65_535, 65_536, 100_000].map((length) =>
      "ä".repeat(length / 2),
    );
    server.once("connection", (socket: WebSocket, { socket: stream }) => {
      const bodies = texts.map((text) => Buffer.from(text));
      stream.write(writeTextFrames(Buffer.from("<"), bodies, Buffer.from(">")));
      socket.close();
    });
    const client = new Client(`ws://127.0.0.1:${port}`);
    const read: string[] = [];
    client.on("message", (data: Buffer) => read.push(data.toString()));
    await once(client, "close");
    expect(read).toEqual(texts.map((text) => `<${text}>`));
    server.close();
  });
});
