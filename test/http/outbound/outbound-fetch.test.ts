import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOutboundFetch } from "../../../src/http/outbound/outbound-fetch.ts";
import { type Outbound, createOutbound } from "../../../src/http/outbound/outbound.ts";
import { serve } from "../../support/outbound-scene.ts";

let outbound: Outbound;
beforeEach(() => {
  outbound = createOutbound(["127.0.0.0/8"]);
});
afterEach(() => outbound.close());

describe("createOutboundFetch", () => {
  it("sends what libraries send, and answers as fetch does", async () => {
    const { url } = await serve((request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => {
        response.writeHead(201, { "content-type": "application/json", "set-cookie": ["a=1", "b=2"] });
        response.end(JSON.stringify({ method: request.method, type: request.headers["content-type"], text }));
      });
    });
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    const body = new URLSearchParams({ grant_type: "code", code: "ä" });
    const answer = await createOutboundFetch(outbound, {})(new URL(url), { method: "POST", headers, body });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([201, ["a=1", "b=2"]]);
    expect(await answer.json()).toEqual({
      ...{ method: "POST", type: "application/x-www-form-urlencoded" },
      text: "grant_type=code&code=%C3%A4",
    });
  });

  it("answers without a body, and with a redirect that it doesn't follow", async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(request.url === "/empty" ? 204 : 302, { location: "/elsewhere" }).end();
    });
    const fetch = createOutboundFetch(outbound, {});
    expect((await fetch(`${url}/empty`)).status).toBe(204);
    const moved = await fetch(`${url}/moved`);
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/elsewhere"]);
  });

  it("refuses an answer that is too large, an address that isn't allowed, and a status that fetch has not", async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(request.url === "/status" ? 700 : 200).end("x".repeat(2000));
    });
    const fetch = createOutboundFetch(outbound, { answerBytes: 1000 });
    await expect(fetch(url)).rejects.toMatchObject({ reason: "too large" });
    await expect(fetch(`${url}/status`)).rejects.toMatchObject({ reason: "broken" });
    await expect(fetch("https://10.0.0.1/")).rejects.toMatchObject({ reason: "address" });
    await expect(fetch(url, { method: "PUT" })).rejects.toThrow("PUT is not sent");
  });

  it("ends with the caller's signal", async () => {
    const { url } = await serve(() => {});
    const controller = new AbortController();
    const asked = createOutboundFetch(outbound, {})(url, { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ reason: "aborted" });
  });
});
