import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRawHttp } from "../support/raw-http.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;
let url: string;

beforeAll(async () => {
  world = await createWorld();
  ({ url } = world.server);
});

afterAll(() => world.server.close());

/** Sends these lines as a request. @returns everything received until the connection closes. */
async function exchange(lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return Buffer.concat(await socket.toArray()).toString();
}

describe("a request", () => {
  it.each(["/healthz", "/readyz"])("with HTTP/1.0 needs no Host: %s", async (path) => {
    expect(await exchange([`GET ${path} HTTP/1.0`])).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("with HTTP/1.1 requires a Host", async () => {
    expect(await exchange(["GET /healthz HTTP/1.1", "Connection: close"])).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each(["/healthz", "/api/v1/whoami", "/users/log-in"])("with two hosts is rejected: %s", async (path) => {
    const lines = [`GET ${path} HTTP/1.1`, "Host: one.example", "hOST: two.example", "Connection: close"];
    const answer = await exchange(lines);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
  });

  it("is ended when its headers take longer than ten seconds", { timeout: 25_000 }, async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n");
    expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("has a limited target length", async () => {
    const most = await sendRawHttp(url, { path: `/healthz?${"a".repeat(8183)}` });
    expect(most.status).toBe(200);
    const long = await sendRawHttp(url, { path: `/healthz?${"a".repeat(8184)}` });
    expect(long.status).toBe(414);
    expect(JSON.parse(long.text).code).toBe("uri_too_long");
  });

  it("doesn't see its own Host in the response", async () => {
    const headers = { host: "evil.example", authorization: `Bearer ${world.apiKey}` };
    const minted = await sendRawHttp(url, { method: "POST", path: "/api/v1/socket_tokens", headers });
    expect(minted.status).toBe(201);
    expect(JSON.parse(minted.text).url).toBe(`${url.replace("http", "ws")}/graphql`);
    for (const path of ["/api/v1/nothing", "/nothing", "/api/v1/tasks?limit=x"]) {
      const { text } = await sendRawHttp(url, { path, headers });
      expect(JSON.parse(text).type).toMatch(`${url}/problems/`);
    }
    const scim = await sendRawHttp(url, { path: "/scim/v2/ServiceProviderConfig", headers });
    expect(scim.text).not.toContain("evil");
  });
});

describe("an unsupported method", () => {
  it.each([
    ["POST", "/healthz", "GET, HEAD"],
    ["TRACE", "/healthz", "GET, HEAD"],
    ["DELETE", "/readyz", "GET, HEAD"],
    ["PUT", "/problems/not-found", "GET, HEAD"],
    ["TRACE", "/api/v1/tasks", "GET, HEAD, POST"],
    ["TRACE", "/graphql", "GET, HEAD, POST"],
    ["TRACE", "/users/log-in", "GET, HEAD, POST"],
    ["PUT", "/api/v1/tasks/claim", "POST"],
    ["PATCH", "/api/v1/agents/heartbeat", "GET, HEAD"],
    ["DELETE", "/api/v1/tasks/0192f3c4-0000-7000-8000-000000000000", "GET, HEAD"],
  ])("is rejected with the supported ones: %s %s", async (method, path, allow) => {
    const answer = await sendRawHttp(url, {
      ...{ method, path },
      headers: { authorization: `Bearer ${world.apiKey}` },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
  });
});
