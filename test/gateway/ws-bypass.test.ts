import { once } from "node:events";
import { afterAll, describe, expect, it } from "vitest";
import { type ServerOptions, WebSocket, WebSocketServer } from "ws";
import { canBypassWs, createTextWriter } from "../../src/gateway/ws-bypass.ts";

const TEXTS = [0, 1, 124, 125, 126, 65_534, 65_535, 65_536, 100_000].map((length) => "ä".repeat(length / 2));
const servers: WebSocketServer[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

/** What a client receives when texts are sent by ws, then by the writer, then by ws again. */
async function readTexts(options: ServerOptions, isBypassed: boolean): Promise<string[]> {
  const server = new WebSocketServer({ ...options, port: 0, host: "127.0.0.1" });
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  server.once("connection", (socket, { socket: stream }) => {
    const write = createTextWriter(socket, stream, isBypassed);
    socket.send("first");
    write(
      Buffer.from("<"),
      TEXTS.map((text) => Buffer.from(text)),
    );
    socket.send("last");
    socket.close();
  });
  const client = new WebSocket(`ws://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  const read: string[] = [];
  client.on("message", (data: Buffer, isBinary) => read.push(isBinary ? "binary" : data.toString()));
  await once(client, "close");
  return read;
}

/** Sends with a delay. */
class LateSocket extends WebSocket {
  override send(...args: unknown[]): void {
    setImmediate(() => Reflect.apply(super.send.bind(this), null, args));
  }
}

describe("the bypass of ws", () => {
  it.each([
    ["bypassing ws", {}, true],
    ["through ws, if it can't be bypassed", {}, false],
    ["through ws, if the socket compresses", { perMessageDeflate: { threshold: 0 } }, true],
  ])("writes texts of every length in order %s", async (_where, options, isBypassed) => {
    const expected = ["first", ...TEXTS.map((text) => `<${text}}`), "last"];
    expect(await readTexts(options, isBypassed)).toEqual(expected);
  });

  it("is used only if ws writes each text at once and completely", () => {
    expect(canBypassWs({ noServer: true, perMessageDeflate: false })).toBe(true);
    expect(canBypassWs({ noServer: true, perMessageDeflate: { threshold: 0 } })).toBe(false);
    expect(canBypassWs({ noServer: true, perMessageDeflate: false, WebSocket: LateSocket })).toBe(false);
  });
});
