import { once } from "node:events";
import { type ServerResponse, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowSilence } from "../../src/http/allow-silence.ts";
import { limitUnsentAnswers } from "../../src/http/unsent-answers.ts";

const held: ServerResponse[] = [];
const server = createServer((request, response) => {
  if (request.url === "/held") allowSilence(request, 10);
  held.push(response);
  server.emit("held");
});

beforeAll(async () => {
  limitUnsentAnswers(server, pino({ level: "silent" }), { timeoutMs: 200, maxBytes: 1000 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("allowSilence", () => {
  it("keeps a connection open on which others would be closed", async () => {
    // It listens on a TCP port.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const allowed = get(`${url}/held`);
    const answered = once(allowed, "response");
    await once(server, "held");
    const [error] = await once(get(`${url}/other`), "error");
    expect(error).toMatchObject({ code: "ECONNRESET" });
    held[0]?.end("decided");
    const [response] = await answered;
    expect(await text(response)).toBe("decided");
  });
});
