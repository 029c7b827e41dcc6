import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Outbound, createOutbound } from "../../../src/http/outbound/outbound.ts";
import { GET, readText, serve } from "../../support/outbound-scene.ts";

let outbound: Outbound;
beforeEach(() => {
  outbound = createOutbound(["127.0.0.0/8"]);
});
afterEach(() => outbound.close());

describe("createOutbound", () => {
  it("sends a request and gives its answer", async () => {
    const { url } = await serve((request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => {
        response.writeHead(201, { "x-method": request.method, "x-own": request.headers["x-own"] });
        response.end(text.toUpperCase());
      });
    });
    const request = { method: "POST", headers: { "x-own": "1" }, body: "héllo" } as const;
    const { status, headers, body } = await outbound.send(`${url}/path`, request);
    const parts = [];
    for await (const part of body) parts.push(part);
    expect([status, headers["x-method"], headers["x-own"]]).toEqual([201, "POST", "1"]);
    expect(Buffer.concat(parts).toString()).toBe("HÉLLO");
  });

  it("uses a connection again", async () => {
    const server = await serve((_request, response) => response.end("ok"));
    await readText(outbound, server.url);
    await readText(outbound, server.url);
    expect(server.connections()).toBe(1);
  });

  it("gives parts as they come", async () => {
    let goOn = () => {};
    const { url } = await serve((_request, response) => {
      response.write("one");
      goOn = () => response.end("two");
    });
    const { body } = await outbound.send(url, GET);
    const parts = [];
    for await (const part of body) {
      parts.push(Buffer.from(part).toString());
      goOn();
    }
    expect(parts).toEqual(["one", "two"]);
  });

  it.each([301, 302, 303, 307, 308])("follows no redirect: %i is an answer", async (status) => {
    const inner = await serve((_request, response) => response.end("secret"));
    const { url } = await serve((_request, response) => {
      response.writeHead(status, { location: inner.url }).end();
    });
    const answer = await outbound.send(url, GET);
    answer.discard();
    expect([answer.status, inner.connections()]).toEqual([status, 0]);
  });

  it("uses no proxy of the environment", async () => {
    const proxy = await serve((_request, response) => response.end("proxied"));
    const names = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
    for (const name of names) vi.stubEnv(name, proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url } = await serve((_request, response) => response.end("direct"));
    expect([await readText(outbound, url), proxy.connections()]).toEqual(["direct", 0]);
  });
});
